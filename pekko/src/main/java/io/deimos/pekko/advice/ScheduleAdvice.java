// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.hooks.ScheduleHooks;
import io.deimos.recorder.woven.ContextFields;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied into {@code LightArrayRevolverScheduler}. */
@SuppressWarnings("unused") // copied into Pekko
final class ScheduleAdvice {
  private ScheduleAdvice() {}

  /** {@code scheduleOnce}. */
  static final class Once {
    private Once() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter() {
      return ScheduleHooks.once();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        ScheduleHooks.onceMade(state);
      }
    }
  }

  /** {@code scheduleWithFixedDelay}, which schedules once again and again. */
  static final class FixedDelay {
    private FixedDelay() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter() {
      return ScheduleHooks.periodic(ScheduleHooks.FIXED_DELAY);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        ScheduleHooks.periodicMade(state);
      }
    }
  }

  /** {@code schedule}, likewise. */
  static final class FixedRate {
    private FixedRate() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter() {
      return ScheduleHooks.periodic(ScheduleHooks.FIXED_RATE);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        ScheduleHooks.periodicMade(state);
      }
    }
  }

  /** {@code ReceiveTimeout.rescheduleReceiveTimeout}, after each message. */
  static final class ReceiveTimeout {
    private ReceiveTimeout() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter() {
      return ScheduleHooks.receiveTimeout();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        ScheduleHooks.periodicMade(state);
      }
    }
  }

  /** {@code TaskHolder.executeTask}. */
  static final class Fires {
    private Fires() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(@Advice.This Object holder) {
      return ScheduleHooks.fires((ContextFields) holder);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.This Object holder, @Advice.Enter @Nullable Frame frame) {
      if (frame != null) {
        ContextHooks.ran(frame);
      }
      ContextHooks.forget((ContextFields) holder);
    }
  }

  /** {@code TaskHolder.cancel}. */
  static final class Cancels {
    private Cancels() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object holder) {
      ContextHooks.forget((ContextFields) holder);
    }
  }

  /** {@code TaskHolder.<init>}. */
  static final class Task {
    private Task() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object holder) {
      ScheduleHooks.task((ContextFields) holder);
    }
  }
}
