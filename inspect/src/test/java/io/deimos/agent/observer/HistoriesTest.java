// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Origin;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.ring.Records;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class HistoriesTest {
  private static final long SECOND = 1_000_000_000;

  private final MessageLog log = new MessageLog(1 << 20);
  private final Histories histories = new Histories(log, 20_000);
  private final ActorTelemetry actor =
      Records.actor("pekko://histories/user/one", "test.histories.One");

  private void processed(int messages) {
    for (int i = 0; i < messages; i++) {
      log.add(
          new MessageRecord()
              .span(1, 2, i + 1, 0)
              .actors(0, 0, actor.id(), 1)
              .times(16, i, 5)
              .message(0, Origin.TOLD, false));
    }
  }

  @Test
  void keep_many_keepsTheLastMessages() {
    processed(100);
    histories.keep(actor.path(), 7, SECOND);
    assertThat(Objects.requireNonNull(histories.of(actor.path(), 7)).lines())
        .hasSize(History.MAX_LINES)
        .extracting(line -> line.processing().span().spanId())
        .startsWith(100L, 99L);
  }

  @Test
  void keep_noMessageOfTheActor_keepsNothing() {
    processed(1);
    histories.keep("pekko://histories/user/other", 7, SECOND);
    histories.keep("", 8, 2 * SECOND);
    assertThat(histories.of("pekko://histories/user/other", 7)).isNull();
    assertThat(histories.bytes()).isZero();
  }

  @Test
  void keep_aFlood_isDoneNowAndThenWithinItsMemory() {
    processed(100);
    histories.keep(actor.path(), 1, SECOND);
    histories.keep(actor.path(), 2, SECOND + 1000);
    assertThat(histories.of(actor.path(), 2)).as("right after the other").isNull();
    for (int i = 3; i < 50; i++) {
      histories.keep(actor.path(), i, i * SECOND);
    }
    assertThat(histories.bytes()).isBetween(1L, 20_000L);
    assertThat(histories.of(actor.path(), 1)).as("the eldest").isNull();
    assertThat(histories.of(actor.path(), 49)).isNotNull();
  }
}
