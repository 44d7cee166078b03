// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents;
import io.deimos.recorder.trouble.WaitingIncidents;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Large messages to other nodes, and who is told of them. */
class SerializationHooksTest {
  private final Queue<Incident> told = new ConcurrentLinkedQueue<>();

  @AfterEach
  void forget() {
    SerializationHooks.largeFrom(0);
    Incidents.listener(null);
  }

  private static long large(String peer) {
    long[] counts = Metric.REMOTE_LARGE.tally().read().get(List.of(peer, "java.lang.String"));
    return counts == null ? 0 : counts[0];
  }

  private static void serialized(String peer, int bytes) {
    SerializationHooks.serialized(peer, "text", Clock.now(), bytes);
  }

  @Test
  void serialized_fromTheSizeOn_isCountedAndTold() {
    Incidents.listener(
        new Incidents.Listener() {
          @Override
          public @Nullable Consumer<Incident> wants(EventName event, Incidents.Known known) {
            return event == EventName.LARGE_MESSAGE ? told::add : null;
          }

          @Override
          public void missed(EventName event, Incidents.Known known) {}
        });
    SerializationHooks.largeFrom(1000);
    serialized("pekko://large@b:1", 999);
    assertThat(large("pekko://large@b:1")).isZero();
    serialized("pekko://large@b:1", 1000);
    assertThat(large("pekko://large@b:1")).isEqualTo(1);
    WaitingIncidents.tell();
    assertThat(told)
        .singleElement()
        .satisfies(
            incident ->
                assertThat(incident.facts())
                    .containsEntry(Attribute.REMOTE_PEER, "pekko://large@b:1")
                    .containsEntry(Attribute.MESSAGE_CLASS, "java.lang.String")
                    .containsEntry(Attribute.MESSAGE_SIZE, "1000"));
  }

  @Test
  void serialized_withoutASize_countsNoneAsLarge() {
    SerializationHooks.largeFrom(0);
    serialized("pekko://none@b:1", 100_000_000);
    assertThat(large("pekko://none@b:1")).isZero();
  }
}
