// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.Parts;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.trace.Trace;
import org.jspecify.annotations.Nullable;

/**
 * The context of an element that waits somewhere in a stream. Immutable.
 *
 * @param trace null if the element came without one
 */
record StreamContext(@Nullable Trace trace, long spanId) {
  static final StreamContext NONE = new StreamContext(null, 0);

  boolean isNone() {
    return trace == null;
  }

  /** That of this thread, now. */
  static StreamContext current() {
    ThreadState s = ThreadState.current();
    if (!Parts.streams || s == null || !s.hasContext()) {
      return NONE;
    }
    s.captureCurrent();
    Trace trace = s.capturedTrace;
    return trace == null ? NONE : new StreamContext(trace, s.capturedSpan);
  }
}
