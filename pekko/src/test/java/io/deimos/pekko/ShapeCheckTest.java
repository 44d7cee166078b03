// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.pekko.feature.Feature;
import io.deimos.pekko.feature.Features;
import io.deimos.pekko.feature.HookPoint;
import java.util.List;
import net.bytebuddy.ByteBuddy;
import net.bytebuddy.implementation.StubMethod;
import org.junit.jupiter.api.Test;
import org.objectweb.asm.Opcodes;

class ShapeCheckTest {
  private static final int PUBLIC_BRIDGE =
      Opcodes.ACC_PUBLIC | Opcodes.ACC_BRIDGE | Opcodes.ACC_SYNTHETIC;

  private final ClassFiles pekko = ClassFiles.of(ShapeCheckTest.class.getClassLoader());

  /** The classes of a class loader above Pekko's. */
  private ClassFiles only(String names) {
    return name -> name.matches(names) ? pekko.read(name) : null;
  }

  /** Pekko with one class replaced by an empty one of the same name. */
  private ClassFiles without(String type) {
    return with(type, new ByteBuddy().subclass(Object.class).name(type).make().getBytes());
  }

  private ClassFiles with(String type, byte[] other) {
    return name -> name.equals(type) ? other : pekko.read(name);
  }

  @Test
  void features_thisPekko_areAllWhole() {
    ShapeCheck check = new ShapeCheck(pekko);
    assertThat(check.missing()).isEmpty();
    assertThat(check.features())
        .containsExactlyInAnyOrderElementsOf(
            Features.ALL.stream().filter(f -> !f.name().equals("FUTURES_2_12")).toList());
  }

  @Test
  void hooks_ofTwoForms_areTheFirstThatIsThere() {
    assertThat(typesOf(new ShapeCheck(pekko), "EventStream.publish"))
        .containsExactly("org.apache.pekko.event.EventStream");
  }

  /** As Scala 3 compiles what the stream inherits: a bridge, which Byte Buddy leaves as it is. */
  @Test
  void hooks_whoseFirstFormIsABridge_areTheNext() {
    String stream = "org.apache.pekko.event.EventStream";
    byte[] bridged =
        new ByteBuddy()
            .subclass(Object.class)
            .name(stream)
            .defineMethod("publish", void.class, PUBLIC_BRIDGE)
            .withParameters(Object.class)
            .intercept(StubMethod.INSTANCE)
            .make()
            .getBytes();
    ShapeCheck check = new ShapeCheck(with(stream, bridged));
    assertThat(check.missing()).isEmpty();
    assertThat(typesOf(check, "EventStream.publish"))
        .containsExactly("org.apache.pekko.event.SubchannelClassification");
  }

  private static List<String> typesOf(ShapeCheck check, String hook) {
    return check.hooks().stream().filter(h -> h.name().equals(hook)).map(HookPoint::type).toList();
  }

  @Test
  void features_oneClassInAnotherShape_isLeftOutWholeAndNamed() {
    ShapeCheck check =
        new ShapeCheck(without("org.apache.pekko.actor.LightArrayRevolverScheduler$TaskHolder"));
    assertThat(check.features())
        .extracting(Feature::name)
        .doesNotContain("SCHEDULER")
        .contains("ACTORS");
    assertThat(check.missing())
        .containsExactly(
            "LightArrayRevolverScheduler$TaskHolder.<init>",
            "LightArrayRevolverScheduler$TaskHolder.executeTask",
            "LightArrayRevolverScheduler$TaskHolder.cancel");
  }

  @Test
  void features_withoutTheCore_areNone() {
    ShapeCheck check = new ShapeCheck(without("org.apache.pekko.dispatch.Envelope"));
    assertThat(check.features()).isEmpty();
    assertThat(check.missing()).contains("Envelope.<init>");
  }

  @Test
  void features_onlyWhatActorsLogWith_areThat() {
    ShapeCheck check = new ShapeCheck(only("(ch\\.qos\\.logback|java)\\..*"));
    assertThat(check.hasPekko()).isFalse();
    assertThat(check.features()).extracting(Feature::name).containsExactly("LOGBACK");
    assertThat(check.missing()).isEmpty();
  }

  @Test
  void features_scalaInALoaderOfItsOwn_areItsFutures() {
    ShapeCheck check = new ShapeCheck(only("(scala|java)\\..*"));
    assertThat(check.hasPekko()).isFalse();
    assertThat(check.features()).extracting(Feature::name).containsExactly("FUTURES");
    assertThat(check.missing()).isEmpty();
  }

  /** Its asynchronous loggers cannot be, then. */
  @Test
  void features_log4jWithoutItsQueue_areWithoutThatOfIt() {
    ShapeCheck check = new ShapeCheck(only("(?!com\\.lmax|ch\\.qos).*"));
    assertThat(check.features())
        .extracting(Feature::name)
        .contains("ACTORS", "LOG4J")
        .doesNotContain("LOG4J_ASYNC", "LOGBACK");
  }

  @Test
  void features_noPekkoAtAll_areNoneAndNothingIsMissed() {
    ShapeCheck check = new ShapeCheck(name -> null);
    assertThat(check.features()).isEmpty();
    assertThat(check.missing()).isEmpty();
  }
}
