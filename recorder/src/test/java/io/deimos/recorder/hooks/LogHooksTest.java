// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.trace.Trace;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests of one class run one after another, and no other counts what is logged. */
class LogHooksTest {
  private static long counted(String level) {
    return java.util.Objects.requireNonNull(
        Metric.LOG_EVENTS.tally().read().get(List.of(level)), level)[0];
  }

  private static long countedInAll() {
    return Metric.LOG_EVENTS.tally().sum();
  }

  /** Runs as an actor does that processes a message. */
  private static void in(String actorClass, Object message, Runnable body) {
    ActorKind kind = ActorKinds.of("logs", actorClass, actorClass.startsWith("org.apache.pekko."));
    Frame s =
        Hooks.begin(
            Actors.register("/user/logs", kind), Woven.Envelope.sent(), message, null, null);
    try {
      body.run();
    } finally {
      Hooks.end(s);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "40000, error",
    "30000, warning",
    "20000, info",
    "10000, debug",
    "5000, trace",
    "0, trace"
  })
  void byLogback_inAnActor_isCountedByLevel(int level, String as) {
    long before = counted(as);
    in("shop.Cart", "a message", () -> LogHooks.byLogback(level));
    assertThat(counted(as)).isEqualTo(before + 1);
  }

  @ParameterizedTest
  @CsvSource({
    "100, error",
    "200, error",
    "300, warning",
    "350, info",
    "400, info",
    "500, debug",
    "600, trace"
  })
  void byLog4j_inAnActor_isCountedByLevel(int level, String as) {
    long before = counted(as);
    in("shop.Cart", "a message", () -> LogHooks.byLog4j(LogHooks.LOG4J, level));
    assertThat(counted(as)).isEqualTo(before + 1);
  }

  @Test
  void logged_outsideOfMessages_isNotCounted() {
    long before = countedInAll();
    LogHooks.byLogback(40_000);
    Woven.in(new Trace(1, 2, true, null), 3, () -> LogHooks.byLog4j(LogHooks.LOG4J, 200));
    assertThat(countedInAll()).isEqualTo(before);
  }

  @Test
  void logged_byPekkosOwnActors_isCounted() {
    long before = countedInAll();
    in(
        "org.apache.pekko.cluster.sharding.typed.Some",
        "a message",
        () -> LogHooks.byLogback(30_000));
    assertThat(countedInAll()).isEqualTo(before + 1);
  }

  /** It was published before, and counted there. */
  @Test
  void logged_byPekkosLogger_isNotCountedAgain() {
    long before = countedInAll();
    in("org.apache.pekko.event.slf4j.Slf4jLogger", "event", () -> LogHooks.byLogback(30_000));
    assertThat(countedInAll()).isEqualTo(before);
  }

  @Test
  void logged_bySelfTest_isNotCounted() {
    long before = countedInAll();
    in("io.deimos.pekko.selftest.Conductor", "run", () -> LogHooks.byLogback(30_000));
    assertThat(countedInAll()).isEqualTo(before);
  }
}
