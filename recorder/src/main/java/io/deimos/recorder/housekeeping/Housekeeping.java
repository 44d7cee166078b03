// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.Systems;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.trouble.EntityAsks;
import io.deimos.recorder.trouble.Incidents;
import io.deimos.recorder.trouble.OpenAsks;
import io.deimos.recorder.trouble.StarvationWatch;
import io.deimos.recorder.trouble.StuckWatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Does the work that is due now and then whatever is switched on: the clock's tick, lanes of
 * threads that have ended, memory of rings that nobody needs, places of actors that have stopped,
 * cells that are new, the look at messages that take too long, and at tasks that wait too long,
 * asks that nobody will end.
 *
 * <p><b>Threads.</b> One of its own, which sleeps until there is an actor system, then looks once a
 * second, four times while there are stopped actors, and at once when somebody calls it. Any thread
 * may call it, see {@link HousekeepingCall}. It never writes to anything that could make it wait.
 */
public final class Housekeeping {
  private static final long PAUSE_NANOS = 1_000_000_000L;
  private static final long SHORT_PAUSE_NANOS = 250_000_000L;

  private static @Nullable Thread thread;

  private Housekeeping() {}

  /** Starts the thread, once. Called before any application's class has run. */
  public static synchronized void start() {
    if (thread == null) {
      thread = AgentThread.start("deimos-housekeeping", Housekeeping::run);
      HousekeepingCall.answeredBy(thread);
    }
  }

  private static void run() {
    while (true) {
      HousekeepingCall.begin();
      tidy(Housekeeping::round);
      if (!HousekeepingCall.isWanted()) {
        pause();
      }
    }
  }

  private static void pause() {
    if (Lanes.all().isEmpty() && !Systems.areAny()) {
      LockSupport.park(Housekeeping.class);
    } else {
      long pause = Actors.areWaiting() ? SHORT_PAUSE_NANOS : PAUSE_NANOS;
      long watched = Math.min(StuckWatch.pauseNanos(), StarvationWatch.pauseNanos());
      LockSupport.parkNanos(Housekeeping.class, Math.min(pause, watched));
    }
  }

  /** Each of these is done even if another fails. */
  static void round() {
    long now = Clock.now();
    tidy(Clock::tick);
    tidy(Lanes::sweep);
    tidy(Lanes::trim);
    tidy(() -> Actors.release(now, Lanes::untilDrained, Drainer.isRunning()));
    tidy(Lanes::adopt);
    tidy(() -> StuckWatch.look(now));
    tidy(() -> StarvationWatch.look(now));
    tidy(() -> Systems.tellOverdue(now));
    tidy(EntityAsks::sweep);
    tidy(() -> OpenAsks.sweep(now));
    tidy(GaugeReaders::startIfWanted);
    tidy(Incidents::startIfWanted);
    tidy(Faults::tell);
  }

  private static void tidy(Runnable duty) {
    try {
      duty.run();
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }
}
