// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Ends changes of settings whose time is up, and tries again what could not be put in force. Its
 * thread starts with the first of either, and sleeps until the next.
 */
public final class Reverts implements Runnable {
  private static final long AGAIN_NANOS = 1_000_000_000;

  private final LiveSettings settings;
  private @Nullable Thread thread;

  private Reverts(LiveSettings settings) {
    this.settings = settings;
  }

  /** Looks after these settings from now on. */
  public static void of(LiveSettings settings) {
    settings.wakes(new Reverts(settings)::wake);
  }

  /** There is something new to wait for. */
  private synchronized void wake() {
    Thread known = thread;
    if (known == null || !known.isAlive()) {
      thread = AgentThread.start("deimos-reverts", this);
    } else {
      LockSupport.unpark(known);
    }
  }

  @Override
  public void run() {
    while (!Thread.currentThread().isInterrupted()) {
      long nanos = AGAIN_NANOS;
      try {
        nanos = settings.turn();
      } catch (Throwable t) {
        Faults.caught(t); // what is not done is still to be done
      }
      LockSupport.parkNanos(this, nanos);
    }
  }
}
