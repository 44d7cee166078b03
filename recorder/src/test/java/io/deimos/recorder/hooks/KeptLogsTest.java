// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.spans.LogLine;
import io.deimos.recorder.trace.Trace;
import java.lang.invoke.MethodHandles;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/** Events of Logback's numbers: 40,000 is an error, 20,000 information. */
@Isolated("it changes the rules of all actors")
class KeptLogsTest {
  private static final int ERROR = 40_000;
  private static final int INFO = 20_000;

  private final List<LogLine> kept = new ArrayList<>();

  /** As Logback's events keep what an appender has made of them. */
  static final class Event {
    @Nullable String formattedMessage;

    Event(@Nullable String formatted) {
      formattedMessage = formatted;
    }
  }

  /** Nothing of ours may call it. */
  private static final class Hostile {
    @Override
    public String toString() {
      throw new AssertionError("called");
    }
  }

  @BeforeEach
  void keep() {
    KeptLogs.keeper(kept::add);
    KeptLogs.from(LogEvents.INFO);
    rule(null);
  }

  @AfterEach
  void keepNothing() {
    KeptLogs.from(0);
    KeptLogs.keeper(line -> {});
    Recorder.ruleBy(Rules.NONE);
  }

  private static void rule(@Nullable BiFunction<Object, String, @Nullable String> redactor) {
    Recorder.ruleBy(
        new Rules() {
          @Override
          public ContentRule texts() {
            return new ContentRule(false, 20, redactor);
          }
        });
  }

  /** As woven code does. */
  private static void log(int level, Event event, String pattern, @Nullable Object... given) {
    if (KeptLogs.areOfLogback(level)) {
      KeptLogs.byLogback(
          MethodHandles.lookup(), event, level, "shop.Cart", pattern, given, "java.Oops: no");
    }
  }

  private static void in(String actorClass, Runnable body) {
    ActorKind kind = ActorKinds.of("kept", actorClass, actorClass.startsWith("org.apache.pekko."));
    Frame frame =
        Hooks.begin(
            Actors.register("/user/kept", kind), Woven.Envelope.sent(), "message", null, null);
    try {
      body.run();
    } finally {
      Hooks.end(frame);
    }
  }

  @Test
  void event_inAnActor_isKeptWithItsPlace() {
    long[] span = new long[1];
    in(
        "shop.Cart",
        () -> {
          span[0] = Objects.requireNonNull(ThreadState.current()).spanId();
          log(INFO, new Event("order 7 is here"), "order {} is here", new Hostile());
        });
    assertThat(kept).hasSize(1);
    LogLine line = kept.get(0);
    assertThat(line.text()).isEqualTo("order 7 is here");
    assertThat(line.level()).isEqualTo("info");
    assertThat(line.logger()).isEqualTo("shop.Cart");
    assertThat(line.thrown()).isEqualTo("java.Oops: no");
    assertThat(line.place().actorPath()).isEqualTo("/user/kept");
    assertThat(line.place().actorClass()).isEqualTo("shop.Cart");
    assertThat(line.place().spanId()).isEqualTo(span[0]).isNotZero();
    assertThat(line.place().traceLo()).isNotZero();
  }

  @Test
  void event_inATraceOutsideOfActors_isKept_othersAreNot() {
    Woven.in(new Trace(1, 2, true, null), 3, () -> log(INFO, new Event(null), "in a future"));
    log(ERROR, new Event(null), "of no actor and no trace");
    assertThat(kept).hasSize(1);
    assertThat(kept.get(0).place()).isEqualTo(new LogLine.Place("", "", "", 1, 2, 3));
  }

  @Test
  void event_notFormattedByTheLibrary_callsNoCodeOfTheApplication() {
    in("shop.Cart", () -> log(INFO, new Event(null), "{} {}", 7, new Hostile()));
    assertThat(kept.get(0).text()).startsWith("7 (io.deimos.");
  }

  @Test
  void event_belowTheLevel_isNotKept() {
    in("shop.Cart", () -> log(10_000, new Event(null), "debug"));
    KeptLogs.from(0);
    in("shop.Cart", () -> log(ERROR, new Event(null), "off"));
    assertThat(kept).isEmpty();
  }

  @Test
  void event_longOne_isCut() {
    in("shop.Cart", () -> log(INFO, new Event(null), "x".repeat(1000)));
    assertThat(kept.get(0).text()).startsWith("x".repeat(20) + "…").hasSizeLessThan(60);
  }

  @Test
  void redactor_decidesAndMayLogItself() {
    rule(
        (whole, text) -> {
          log(ERROR, new Event(null), "of the redactor");
          return text.contains("secret") ? null : text.replace("7", "?");
        });
    in(
        "shop.Cart",
        () -> {
          log(INFO, new Event(null), "a secret");
          log(INFO, new Event(null), "order 7");
        });
    assertThat(kept).extracting(LogLine::text).containsExactly("order ?");
    rule(
        (whole, text) -> {
          throw new IllegalStateException();
        });
    in("shop.Cart", () -> log(INFO, new Event(null), "a secret"));
    assertThat(kept.get(1).text()).doesNotContain("secret").contains("redactor failed");
  }

  @Test
  void rules_thatForbidTexts_keepNothing() {
    Recorder.ruleBy(Rules.NONE);
    in("shop.Cart", () -> log(ERROR, new Event(null), "a secret"));
    assertThat(kept).isEmpty();
  }

  @Test
  void pekkosLogger_thatWritesForAnotherActor_isNotKeptAgain() {
    in("org.apache.pekko.event.slf4j.Slf4jLogger", () -> log(ERROR, new Event(null), "again"));
    assertThat(kept).isEmpty();
  }

  @Test
  void storm_isCountedAndBounded_andLeavesRoomForErrors() {
    long before = KeptLogs.leftOut();
    in(
        "shop.Cart",
        () -> {
          for (int i = 0; i < 100_000; i++) {
            log(INFO, new Event(null), "storm");
          }
          log(ERROR, new Event(null), "failed");
        });
    assertThat(kept).hasSizeLessThan(100_000);
    assertThat(KeptLogs.leftOut() - before + kept.size()).isEqualTo(100_001);
    assertThat(kept.get(kept.size() - 1).text()).isEqualTo("failed");
  }
}
