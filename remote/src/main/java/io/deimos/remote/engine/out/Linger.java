// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.engine.settings.RemoteSettings;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.ScheduledFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Puts a lane's run off by {@code flush-interval}, so that more messages gather; ends that early
 * when enough have.
 *
 * <p><b>Threads.</b> {@link #begin} belongs to whoever has the right to run the lane, {@link
 * #endIfEnough} to any sender.
 */
final class Linger {
  private final long nanos;
  private final int enough;
  private final Runnable submit;
  private volatile @Nullable ScheduledFuture<?> waiting;

  /** Whether the interval was over; handed to the run with the right to run. */
  private boolean timedOut;

  Linger(RemoteSettings.Batching batching, Runnable submit) {
    nanos = batching.flushInterval().toNanos();
    enough = batching.maxPendingWrites();
    this.submit = submit;
  }

  boolean isOff() {
    return nanos == 0;
  }

  /** Submits the run later, or returns false. */
  boolean begin(EventLoop loop) {
    if (nanos == 0) {
      return false;
    }
    try {
      waiting = loop.schedule(this::timeOut, nanos, TimeUnit.NANOSECONDS);
      return true;
    } catch (RejectedExecutionException e) {
      return false; // the event loop has died
    }
  }

  private void timeOut() {
    timedOut = true;
    end();
  }

  /** Whether the run that begins was put off for the whole interval; belongs to that run. */
  boolean takeTimedOut() {
    boolean was = timedOut;
    timedOut = false;
    return was;
  }

  private void end() {
    waiting = null;
    submit.run();
  }

  /** Ends the waiting for more messages when there are enough. */
  void endIfEnough(int queued) {
    ScheduledFuture<?> future = waiting;
    if (future != null && queued >= enough && future.cancel(false)) {
      end();
    }
  }
}
