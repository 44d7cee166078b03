// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.ring.Records;
import java.util.List;
import org.junit.jupiter.api.Test;

class TicksTest {
  private static final long MILLI = 1_000_000;

  private final MessageLog log = new MessageLog(1);
  private final ActorTelemetry clock = Records.actor("pekko://ticks/user/clock", "test.Clock");

  /** A message that was sent at one time and processed at another. */
  private void processed(
      long sentMillis, long startMillis, long millis, Origin origin, int sender) {
    log.add(
        new MessageRecord()
            .span(1, 2, sentMillis, 0)
            .actors(sender, sender, clock.id(), 1)
            .times((startMillis - sentMillis) * MILLI, startMillis * MILLI, millis * MILLI)
            .message(MessageClasses.of("test.Tick").id(), origin, false));
  }

  private List<Ticks> read() {
    return Ticks.read(log, Scan.unbounded());
  }

  @Test
  void ticks_thatWait_haveTheIntervalAtWhichTheyWereSent() {
    for (long i = 0; i < 40; i++) {
      processed(i * 100, i * 150, 150, Origin.TOLD, 0);
    }
    assertThat(read())
        .singleElement()
        .satisfies(
            ticks -> {
              assertThat(ticks.actor()).isEqualTo("pekko://ticks/user/clock");
              assertThat(ticks.messageClass()).isEqualTo("test.Tick");
              assertThat(ticks.seen()).isEqualTo(Ticks.MAX);
              assertThat(ticks.intervalNanos()).isEqualTo(100 * MILLI);
              assertThat(ticks.handlingNanos()).isEqualTo(150 * MILLI);
              assertThat(ticks.waitNanos()).isEqualTo(39 * 50 * MILLI);
            });
  }

  @Test
  void ticks_oneOfThemLate_areTicks() {
    for (long i = 0; i < 30; i++) {
      processed(i * 100 + (i == 10 ? 45 : 0), i * 100 + 50, 10, Origin.TOLD, 0);
    }
    assertThat(read()).hasSize(1);
  }

  @Test
  void ticks_armedInATrace_areTicksAtAnyIntervals() {
    for (long i = 0; i < 20; i++) {
      processed(i * i * 10, i * i * 10, 10, Origin.TIMER, 0);
    }
    assertThat(read()).hasSize(1);
  }

  @Test
  void messages_atUnequalIntervals_areNone() {
    for (long i = 0; i < 40; i++) {
      processed(i * i * 10, i * i * 10, 150, Origin.TOLD, 0);
    }
    assertThat(read()).isEmpty();
  }

  @Test
  void messages_ofAnActorAtEqualIntervals_areNone() {
    for (long i = 0; i < 40; i++) {
      processed(i * 100, i * 150, 150, Origin.TOLD, 7);
    }
    assertThat(read()).isEmpty();
  }

  @Test
  void ticks_tooFew_areNone() {
    for (long i = 0; i < 5; i++) {
      processed(i * 100, i * 150, 150, Origin.TOLD, 0);
    }
    assertThat(read()).isEmpty();
  }
}
