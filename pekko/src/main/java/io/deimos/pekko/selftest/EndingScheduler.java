// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import org.apache.pekko.actor.AbstractScheduler;
import org.apache.pekko.actor.Cancellable;
import org.apache.pekko.actor.Scheduler;
import scala.concurrent.ExecutionContext;
import scala.concurrent.duration.FiniteDuration;

/**
 * The actor system's scheduler for parts of Pekko that schedule in callbacks. Once the actor system
 * has ended, its own throws there, and Pekko prints that with its stack; this one schedules
 * nothing.
 */
final class EndingScheduler extends AbstractScheduler {
  private final Scheduler scheduler;

  EndingScheduler(Scheduler scheduler) {
    this.scheduler = scheduler;
  }

  @Override
  @Deprecated
  @SuppressWarnings("deprecation") // has to be there, and nothing here calls it
  public Cancellable schedule(
      FiniteDuration delay, FiniteDuration interval, Runnable task, ExecutionContext executor) {
    try {
      return scheduler.scheduleAtFixedRate(delay, interval, task, executor);
    } catch (IllegalStateException e) {
      return Never.INSTANCE;
    }
  }

  @Override
  public Cancellable scheduleOnce(FiniteDuration delay, Runnable task, ExecutionContext executor) {
    try {
      return scheduler.scheduleOnce(delay, task, executor);
    } catch (IllegalStateException e) {
      return Never.INSTANCE;
    }
  }

  @Override
  public double maxFrequency() {
    return scheduler.maxFrequency();
  }

  /** A task that will not run. */
  private enum Never implements Cancellable {
    INSTANCE;

    @Override
    public boolean cancel() {
      return false;
    }

    @Override
    public boolean isCancelled() {
      return true;
    }
  }
}
