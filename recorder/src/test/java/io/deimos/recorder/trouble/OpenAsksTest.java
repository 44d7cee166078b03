// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.hooks.Woven;
import io.deimos.recorder.spans.Ask;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The table is the process's, so each test has an actor system of its own. */
class OpenAsksTest {
  private static final long SECOND = 1_000_000_000L;

  private final ActorTelemetry guardian =
      Actors.register("/user", ActorKinds.of("open-asks", "test.Guardian", true));
  private final Woven.Ref guardianRef = new Woven.Ref();
  private final List<Ask> asked = new ArrayList<>();

  OpenAsksTest() {
    OpenAsks.keep();
    guardianRef.deimos$identity(guardian);
  }

  @AfterEach
  void endAll() {
    asked.forEach(ask -> AskHooks.ended(ask, null, null));
    assertThat(open()).isEmpty();
  }

  private Ask made() {
    Woven.Ref promise = new Woven.Ref();
    AskHooks.created(promise, guardianRef);
    return (Ask) Objects.requireNonNull(promise.deimos$identity());
  }

  private static void send(Ask ask, Object request, long timeoutNanos) {
    Frame frame = AskHooks.send(AskHooks.ASK, ask, "target", request, timeoutNanos);
    if (frame != null) {
      AskHooks.sent(frame);
    }
  }

  private Ask ask() {
    Ask ask = made();
    send(ask, "request", SECOND);
    asked.add(ask);
    return ask;
  }

  private List<Ask> open() {
    List<Ask> open = new ArrayList<>();
    OpenAsks.forEach(ask -> ask.guardian() != guardian || open.add(ask));
    return open;
  }

  @Test
  void ask_isOpenFromItsSendingToItsEnd() {
    Ask made = made();
    assertThat(open()).isEmpty();
    send(made, "request", 5 * SECOND);
    assertThat(open()).containsExactly(made);
    assertThat(made.timeoutNanos()).isEqualTo(5 * SECOND);
    AskHooks.ended(made, new TimeoutException(), null);
    assertThat(open()).isEmpty();
  }

  @Test
  void ask_thatEndsBeforeItIsSent_isNotOpen() {
    Ask made = made();
    AskHooks.ended(made, new TimeoutException(), null);
    send(made, "request", SECOND);
    assertThat(open()).isEmpty();
  }

  @Test
  void many_moreThanThereIsRoomFor_areCountedAndOthersStay() {
    long before = OpenAsks.leftOut();
    int many = 2 * OpenAsks.CAPACITY;
    for (int i = 0; i < many; i++) {
      ask();
    }
    int open = open().size();
    assertThat(open).isBetween(OpenAsks.CAPACITY / 2, OpenAsks.CAPACITY);
    assertThat(OpenAsks.leftOut() - before).isEqualTo(many - open);
  }

  @Test
  void million_madeAndEndedByDifferentThreads_leaveNothing() throws InterruptedException {
    int each = 250_000;
    List<Thread> threads = new ArrayList<>();
    for (int t = 0; t < 2; t++) {
      Ask[] handed = new Ask[2 * each];
      Thread asks =
          new Thread(
              () -> {
                for (int i = 0; i < handed.length; i++) {
                  Ask ask = made();
                  synchronized (handed) {
                    handed[i] = ask;
                  }
                  send(ask, "request", SECOND);
                }
              });
      // Ends them while they are being sent, some before that.
      Thread ends =
          new Thread(
              () -> {
                for (int i = 0; i < handed.length; ) {
                  Ask ask;
                  synchronized (handed) {
                    ask = handed[i];
                  }
                  if (ask == null) {
                    Thread.onSpinWait();
                  } else {
                    AskHooks.ended(ask, null, null);
                    i++;
                  }
                }
              });
      threads.add(asks);
      threads.add(ends);
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join(TimeUnit.MINUTES.toMillis(1));
      assertThat(thread.isAlive()).isFalse();
    }
    assertThat(open()).isEmpty();
  }

  @Test
  void sweep_ofASystemThatHasEnded_letsItsAsksGo() {
    Ask ask = ask();
    OpenAsks.sweep(Clock.now());
    assertThat(open()).containsExactly(ask);
    guardian.stopped();
    OpenAsks.sweep(Clock.now());
    assertThat(open()).isEmpty();
  }

  @Test
  void sweep_aMinuteAfterItsTimeOut_letsAnAskGoThatNobodyEnded() {
    Ask ask = ask();
    OpenAsks.sweep(ask.startNanos() + 61 * SECOND);
    assertThat(open()).containsExactly(ask);
    OpenAsks.sweep(ask.startNanos() + 61 * SECOND + 1);
    assertThat(open()).isEmpty();
  }

  @Test
  void sweep_ofAnAskWithoutEnd_keepsIt() {
    Ask forever = made();
    send(forever, "request", Long.MAX_VALUE);
    asked.add(forever);
    OpenAsks.sweep(Clock.now() + 1_000_000 * SECOND);
    assertThat(open()).containsExactly(forever);
  }
}
