// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.Hook;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.ContextFields;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code where Pekko's scheduler is asked for something. A task that is scheduled
 * once goes on in the context it was scheduled in; a tick does not, or its trace would never end,
 * but is linked to it.
 */
public final class ScheduleHooks {
  public static final Hook FIXED_DELAY =
      Hook.named("LightArrayRevolverScheduler.scheduleWithFixedDelay");
  public static final Hook FIXED_RATE = Hook.named("LightArrayRevolverScheduler.schedule");

  private static final Hook ONCE = Hook.named("LightArrayRevolverScheduler.scheduleOnce");
  private static final Hook RECEIVE_TIMEOUT = Hook.named("ReceiveTimeout.rescheduleReceiveTimeout");

  private ScheduleHooks() {}

  /** A one-shot schedule is being made; tasks made until {@link #onceMade} carry the context. */
  public static @Nullable Frame once() {
    ThreadState s = ThreadState.current();
    if (s == null || s.at.periodic != 0 || !s.hasContext()) {
      return null;
    }
    s.at.scheduling = true;
    ONCE.fires();
    return s.at;
  }

  /** Ends {@link #once}. */
  public static void onceMade(Frame in) {
    in.scheduling = false;
  }

  /** A periodic schedule is being made. */
  public static @Nullable Frame periodic(Hook hook) {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return null;
    }
    s.at.periodic++;
    hook.fires();
    return s.at;
  }

  /**
   * An actor's receive time-out begins to run again: it belongs to no message, least of all to the
   * last one.
   */
  public static @Nullable Frame receiveTimeout() {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return null;
    }
    s.at.periodic++;
    RECEIVE_TIMEOUT.fires();
    return s.at;
  }

  /** Ends {@link #periodic} and {@link #receiveTimeout}. */
  public static void periodicMade(Frame in) {
    in.periodic--;
  }

  /** The scheduler makes the holder of a task. */
  public static void task(ContextFields holder) {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return;
    }
    if (s.at.scheduling) {
      ContextHooks.register(holder);
    } else if (s.hasContext()) {
      tick(holder, s);
    }
  }

  /**
   * A task is about to be run. Its messages are sent by a timer, if it was scheduled once.
   *
   * @return to be given to {@link ContextHooks#ran} if not null
   */
  public static @Nullable Frame fires(ContextFields holder) {
    Trace trace = holder.deimos$trace();
    if (trace == null || !trace.isSampled() || !trace.hasBegun()) {
      return ContextHooks.run(holder);
    }
    return ThreadState.currentOrNew().enter(trace.fired(), holder.deimos$parent());
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
    } else if (s.at.periodic != 0 && trace.isSampled() && trace.hasBegun() && s.capturedSpan != 0) {
      Link armed = new Link(trace.hi(), trace.lo(), s.capturedSpan, Link.TICK);
      holder.deimos$context(new Trace(armed), 0);
    }
  }
}
