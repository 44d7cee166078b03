// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** Functions given in one context and called in another. */
class RegisteredTest {
  private static final Trace ONE = new Trace(1, 1, true, null);
  private static final Trace TWO = new Trace(2, 2, true, null);

  private final List<StreamContext> seen = new ArrayList<>();

  private String see(Object value) {
    seen.add(StreamContext.current());
    return "saw " + value;
  }

  private void callAll(List<Runnable> calls) {
    calls.forEach(Runnable::run);
  }

  private List<Runnable> ofEachKind() {
    Function<Object, String> function = Objects.requireNonNull(Registered.function(this::see));
    BiFunction<Object, Object, String> biFunction =
        Objects.requireNonNull(Registered.biFunction((value, other) -> see(value)));
    Consumer<Object> consumer = Objects.requireNonNull(Registered.consumer(this::see));
    BiConsumer<Object, Object> biConsumer =
        Objects.requireNonNull(Registered.biConsumer((value, other) -> see(value)));
    Runnable runnable = Objects.requireNonNull(Registered.runnable(() -> see("it")));
    return List.of(
        () -> assertThat(function.apply("it")).isEqualTo("saw it"),
        () -> assertThat(biFunction.apply("it", "other")).isEqualTo("saw it"),
        () -> consumer.accept("it"),
        () -> biConsumer.accept("it", "other"),
        runnable);
  }

  @Test
  void call_inAnotherContext_runsInThatOfRegistration() {
    List<Runnable> calls = new ArrayList<>();
    Woven.in(ONE, 11, () -> calls.addAll(ofEachKind()));
    Woven.in(
        TWO,
        22,
        () -> {
          callAll(calls);
          assertThat(StreamContext.current()).isEqualTo(new StreamContext(TWO, 22));
        });
    callAll(calls);
    assertThat(seen).hasSize(10).containsOnly(new StreamContext(ONE, 11));
    assertThat(StreamContext.current()).isEqualTo(StreamContext.NONE);
  }

  @Test
  void call_ofWhatWasRegisteredWithoutContext_hasNone() {
    List<Runnable> calls = ofEachKind();
    Woven.in(TWO, 22, () -> callAll(calls));
    assertThat(seen).hasSize(5).containsOnly(StreamContext.NONE);
  }

  @Test
  void call_thatFails_leavesTheContextAsItWas() {
    Runnable failing =
        Objects.requireNonNull(
            Registered.runnable(
                () -> {
                  throw new IllegalStateException("as told");
                }));
    Woven.in(
        TWO,
        22,
        () -> {
          assertThatThrownBy(failing::run).hasMessage("as told");
          assertThat(StreamContext.current()).isEqualTo(new StreamContext(TWO, 22));
        });
  }

  @Test
  void stagesOff_functionsStayAsTheyAre() {
    Parts.rule(
        new Rules() {
          @Override
          public boolean stages() {
            return false;
          }
        });
    try {
      Runnable given = () -> see("it");
      assertThat(Registered.runnable(given)).isSameAs(given);
    } finally {
      Parts.rule(Rules.NONE);
    }
    assertThat(Registered.runnable(() -> see("it"))).isInstanceOf(Registered.class);
  }

  @Test
  void null_staysNull_forTheFutureToRefuse() {
    assertThat(Registered.function(null)).isNull();
    assertThat(Registered.biFunction(null)).isNull();
    assertThat(Registered.consumer(null)).isNull();
    assertThat(Registered.biConsumer(null)).isNull();
    assertThat(Registered.runnable(null)).isNull();
  }
}
