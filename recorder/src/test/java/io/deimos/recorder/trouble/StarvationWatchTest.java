// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class StarvationWatchTest {
  /** So long that what the machine does between two lines does not count. */
  private static final long LONG = 1_000_000_000_000L;

  private final List<Incident> told = new ArrayList<>();
  private final CountDownLatch end = new CountDownLatch(1);
  private final WaitingTask task = new WaitingTask("starved", "blocking");

  @BeforeEach
  void listen() {
    Incidents.listener(
        new Incidents.Listener() {
          @Override
          public Consumer<Incident> wants(EventName event, Incidents.Known known) {
            return told::add;
          }

          @Override
          public void missed(EventName event, Incidents.Known known) {}
        });
    StarvationWatch.threshold(LONG);
  }

  @AfterEach
  void leave() {
    end.countDown();
    StarvationWatch.threshold(0);
    task.taken();
    Incidents.tellWaiting();
    Incidents.listener(null);
  }

  private void look(long afterNanos) {
    StarvationWatch.look(Clock.now() + afterNanos);
    Incidents.tellWaiting();
  }

  @Test
  void look_tasksThatWaitTooLong_tellsWhoHoldsTheThreads() throws InterruptedException {
    Thread holder = holder("starved-blocking-7", true);
    Thread other = holder("starved-blocking-8", false);
    Thread stranger = holder("starved-blocking-more-9", false);
    long before = Metric.STARVATIONS.tally().sum();
    task.handedIn();
    look(LONG / 2);
    assertThat(told).isEmpty();
    look(2 * LONG);
    assertThat(Metric.STARVATIONS.tally().sum()).isEqualTo(before + 1);
    assertThat(told).hasSize(1);
    Incident incident = told.get(0);
    assertThat(incident.event()).isEqualTo(EventName.STARVATION);
    assertThat(incident.facts())
        .containsEntry(Attribute.DISPATCHER, "blocking")
        .containsEntry(Attribute.THREADS_HELD, "2")
        .containsEntry(Attribute.ACTOR_PATH, "/user/holder")
        .containsEntry(Attribute.MESSAGE_CLASS, "java.lang.String")
        .containsEntry(Attribute.THREAD_NAME, "starved-blocking-7");
    assertThat(incident.spanId()).isNotZero();
    assertThat(incident.stack())
        .contains("starved-blocking-7 processes java.lang.String in /user/holder")
        .contains("starved-blocking-8 runs a task that is no message")
        .contains("StarvationWatchTest.hold")
        .doesNotContain("-more-");

    // Again only when it has lasted twice as long; and that is still the same starvation.
    look(3 * LONG);
    assertThat(told).hasSize(1);
    look(5 * LONG);
    assertThat(told).hasSize(2);
    assertThat(Metric.STARVATIONS.tally().sum()).isEqualTo(before + 1);
    end.countDown();
    holder.join();
    other.join();
    stranger.join();
  }

  @Test
  void look_threadThatIsFreeAgain_tellsNothing() {
    task.handedIn();
    assertThat(StarvationWatch.waitNanos("starved", "blocking", Clock.now() + LONG))
        .isGreaterThanOrEqualTo(LONG);
    assertThat(StarvationWatch.pauseNanos()).isEqualTo(LONG / 4);
    task.taken();
    look(2 * LONG);
    assertThat(told).isEmpty();
    assertThat(StarvationWatch.waitNanos("starved", "blocking", Clock.now())).isZero();
  }

  @Test
  void look_switchedOff_tellsNothing() {
    StarvationWatch.threshold(0);
    task.handedIn();
    look(100 * LONG);
    assertThat(told).isEmpty();
  }

  /** A thread that holds on to a message, or to something else. */
  private Thread holder(String name, boolean message) throws InterruptedException {
    CountDownLatch begun = new CountDownLatch(1);
    Thread thread = new Thread(() -> hold(begun, message), name);
    thread.start();
    begun.await();
    return thread;
  }

  private void hold(CountDownLatch begun, boolean message) {
    Frame at = null;
    if (message) {
      ActorTelemetry actor =
          Actors.register("/user/holder", ActorKinds.of("starved", "shop.Holder", false));
      at = Hooks.begin(actor, Woven.Envelope.sent(), "m", null, null);
    }
    begun.countDown();
    try {
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (at != null) {
      Hooks.end(at);
    }
  }
}
