// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;

/**
 * Has the gauges read off once a second, or less often if that takes long: the thread then rests
 * {@value #SHARE} times as long, but no longer than ten seconds. Safe for any thread.
 */
public final class Samplers {
  private static final long EVERY_NANOS = 1_000_000_000;
  private static final long MOST_NANOS = 10 * EVERY_NANOS;
  private static final int SHARE = 200;

  private static final List<Sampler> ALL = new CopyOnWriteArrayList<>();
  private static volatile Readings last = new Readings();
  private static boolean running;

  private Samplers() {}

  /** Adds an actor system's; the first one starts the thread. */
  public static synchronized void add(Sampler sampler) {
    ALL.add(sampler);
    if (!running) {
      running = true;
      Thread thread = new Thread(null, Samplers::run, "deimos-sampler", 0, false);
      thread.setDaemon(true);
      thread.start();
    }
  }

  /** What was read off last. */
  public static Readings last() {
    return last;
  }

  private static void run() {
    while (true) {
      long begun = Clock.now();
      readOnce();
      long took = Clock.now() - begun;
      LockSupport.parkNanos(Math.max(EVERY_NANOS, Math.min(took * SHARE, MOST_NANOS)));
    }
  }

  static void readOnce() {
    Readings readings = new Readings();
    ALL.removeIf(sampler -> !sampled(sampler, readings));
    BreakerHooks.read(readings);
    last = readings;
  }

  private static boolean sampled(Sampler sampler, Readings into) {
    try {
      return sampler.sample(into);
    } catch (Throwable t) {
      Faults.caught(t);
      return false;
    }
  }
}
