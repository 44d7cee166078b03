// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import scala.runtime.LazyVals;

class ReflectTest {
  /** As scalac makes classes. */
  @SuppressWarnings({"UnusedMethod", "UnusedVariable", "PMD"}) // read by reflection
  private static class Compiled {
    private final int plain = 1;
    private final int io$deimos$pekko$gauges$ReflectTest$Compiled$$widened = 2;

    private String io$deimos$pekko$gauges$ReflectTest$Compiled$$entities() {
      return "entities";
    }

    private String entities(String other) {
      return other;
    }
  }

  private static final class Below extends Compiled {}

  @Test
  void field_asInTheSource_isFoundHoweverItIsCompiled() throws ReflectiveOperationException {
    Below on = new Below();
    assertThat(Reflect.field(Below.class, "plain").get(on)).isEqualTo(1);
    assertThat(Reflect.field(Below.class, "widened").get(on)).isEqualTo(2);
    assertThat(Reflect.fieldOrNull(Below.class, "exec")).isNull();
  }

  @Test
  void call_asInTheSource_isFoundHoweverItIsCompiled() throws ReflectiveOperationException {
    assertThat(Reflect.call(new Below(), "entities")).isEqualTo("entities");
    assertThat(Reflect.call(new Below(), "widened")).isEqualTo(2);
    assertThatExceptionOfType(NoSuchMethodException.class)
        .isThrownBy(() -> Reflect.call(new Below(), "others"));
  }

  @Test
  void field_askedForAgain_isTheSame() throws ReflectiveOperationException {
    assertThat(Reflect.field(Below.class, "plain")).isSameAs(Reflect.field(Below.class, "plain"));
  }

  @Test
  void lazy_valueOfScala2_isThatOrNull() throws ReflectiveOperationException {
    assertThat(Reflect.lazy(new Scala2(null), "executor")).isNull();
    assertThat(Reflect.lazy(new Scala2("made"), "executor")).isEqualTo("made");
  }

  @Test
  void lazy_valueOfScala3_isThatOrNull() throws ReflectiveOperationException {
    assertThat(Reflect.lazy(new Scala3(null), "executor")).isNull();
    assertThat(Reflect.lazy(new Scala3(new LazyVals.Evaluating()), "executor")).isNull();
    assertThat(Reflect.lazy(new Scala3("made"), "executor")).isEqualTo("made");
  }

  @Test
  void lazy_noSuchValue_saysWhich() {
    assertThatExceptionOfType(NoSuchFieldException.class)
        .isThrownBy(() -> Reflect.lazy("", "executor"))
        .withMessage("java.lang.String.executor");
  }

  /** As Scala 2.13 compiles it, without the bits that say whether it is made. */
  private static final class Scala2 {
    @SuppressWarnings({"unused", "UnusedVariable"})
    private final @Nullable Object executor;

    Scala2(@Nullable Object executor) {
      this.executor = executor;
    }
  }

  /** As Scala 3.3 compiles it. */
  private static final class Scala3 {
    @SuppressWarnings({"unused", "UnusedVariable", "checkstyle:MemberName"})
    private final @Nullable Object executor$lzy1;

    Scala3(@Nullable Object executor) {
      executor$lzy1 = executor;
    }
  }
}
