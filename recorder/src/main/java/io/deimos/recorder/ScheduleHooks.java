// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import org.jspecify.annotations.Nullable;

/**
 * What woven code calls where Pekko's scheduler is asked for something. What is scheduled once goes
 * on in the context it was scheduled in; what ticks does not, or its trace would never end, but is
 * linked to it.
 */
public final class ScheduleHooks {
  private ScheduleHooks() {}

  /** A one-shot schedule is being made; tasks made until {@link #onceMade} carry the context. */
  public static @Nullable ThreadState once() {
    ThreadState s = ThreadState.current();
    if (s == null || s.periodic != 0 || !s.hasContext()) {
      return null;
    }
    s.scheduling = true;
    s.fired[Fired.SCHEDULE_ONCE.index]++;
    return s;
  }

  /** Ends {@link #once}. */
  public static void onceMade(ThreadState s) {
    s.scheduling = false;
  }

  /** A periodic schedule is being made. */
  public static @Nullable ThreadState periodic() {
    ThreadState s = ThreadState.current();
    if (s != null) {
      s.periodic++;
      s.fired[Fired.SCHEDULE_PERIODIC.index]++;
    }
    return s;
  }

  /**
   * An actor's receive time-out begins to run again: it belongs to no message, least of all to the
   * last one.
   */
  public static @Nullable ThreadState receiveTimeout() {
    ThreadState s = ThreadState.current();
    if (s != null) {
      s.periodic++;
      s.fired[Fired.RECEIVE_TIMEOUT.index]++;
    }
    return s;
  }

  /** Ends {@link #periodic} and {@link #receiveTimeout}. */
  public static void periodicMade(ThreadState s) {
    s.periodic--;
  }

  /** The scheduler makes the holder of a task. */
  public static void task(ContextFields holder) {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return;
    }
    if (s.scheduling) {
      ContextHooks.register(holder);
    } else if (s.hasContext()) {
      tick(holder, s);
    }
  }

  /** The first task of a periodic schedule, or one that was made by the task before. */
  private static void tick(ContextFields holder, ThreadState s) {
    s.captureCurrent();
    Trace trace = s.capturedTrace;
    if (trace == null) {
      return;
    }
    if (trace.isLink()) {
      holder.deimos$context(trace, 0);
    } else if (s.periodic != 0 && trace.isSampled() && trace.hasBegun() && s.capturedSpan != 0) {
      Link armed = new Link(trace.hi(), trace.lo(), s.capturedSpan, Link.TICK);
      holder.deimos$context(new Trace(armed), 0);
    }
  }
}
