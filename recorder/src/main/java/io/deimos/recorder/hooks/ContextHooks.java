// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.ContextFields;
import org.jspecify.annotations.Nullable;

/** Called by woven code where work is registered on one thread and run on another. */
public final class ContextHooks {
  private static final boolean TRACING = RecorderConfig.current().tracing();

  private ContextHooks() {}

  /** A callback is registered: it will run in the context of this thread, now. */
  public static void register(ContextFields callback) {
    if (!TRACING) {
      return;
    }
    ThreadState s = ThreadState.current();
    if (s != null && s.hasContext()) {
      s.captureCurrent();
      callback.deimos$context(s.capturedTrace, s.capturedSpan);
    }
  }

  /**
   * A callback begins to run, perhaps in the middle of something else's work.
   *
   * @return to be given to {@link #ran}; null if the context is the same already
   */
  public static @Nullable Frame run(ContextFields callback) {
    if (!TRACING) {
      return null;
    }
    Trace trace = callback.deimos$trace();
    long span = callback.deimos$parent();
    ThreadState s = ThreadState.current();
    if (s == null || !s.hasContext()) {
      if (trace == null) {
        return null;
      }
      s = ThreadState.currentOrNew();
    } else if (s.attached() == null
        && !s.isHidden()
        && s.at.spanId == span
        && s.at.trace == trace) {
      return null;
    }
    return s.enter(trace, span);
  }

  /** Ends {@link #run}. */
  public static void ran(Frame frame) {
    frame.thread.leave(frame);
  }

  /**
   * Registered work has run, or will not run any more. It may live on: a future in the hands of
   * whoever waits for it, the holder of a cancelled task in the scheduler's wheel. The content of
   * its context, a request, say, must not.
   */
  public static void forget(ContextFields registered) {
    if (registered.deimos$trace() != null) {
      registered.deimos$context(null, 0);
    }
  }
}
