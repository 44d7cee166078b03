// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** What becomes of a message that the rules do not simply let be recorded. */
final class RuledMessages {
  private RuledMessages() {}

  /** Whether the message gets a span; if not, the context that it came with is passed on. */
  static boolean isTraced(
      ThreadState s, MessageCell cell, EnvelopeFields envelope, Object message) {
    Trace trace = envelope.deimos$trace();
    boolean begun = trace != null && trace.hasBegun();
    if (cell.traced && (begun || cell.starts) && isWanted(cell.filter, message, begun)) {
      return true;
    }
    s.trace = trace;
    s.spanId = envelope.deimos$parent();
    return false;
  }

  /** A span has begun for such a message. */
  static void begun(ThreadState s, MessageCell cell, Object message) {
    ContentRule rule = cell.content;
    if (rule != null) {
      s.says(Content.of(message, rule));
    }
  }

  /** The real message has become known after its span was begun, which may not have to be. */
  static void unwrapped(ThreadState s, MessageCell real, Object message) {
    boolean begun = s.parentId != 0;
    if (real.traced && (begun || real.starts) && isWanted(real.filter, message, begun)) {
      begun(s, real, message);
      return;
    }
    s.work = real.counted ? ThreadState.TIME : ThreadState.NOTHING;
    s.spanId = s.parentId;
    if (!begun) {
      s.trace = null;
    }
  }

  /** A filter that fails has no say. */
  private static boolean isWanted(
      @Nullable BiPredicate<Object, Boolean> filter, Object message, boolean begun) {
    if (filter == null) {
      return true;
    }
    try {
      return filter.test(message, begun);
    } catch (Throwable t) {
      Faults.caught(t);
      return true;
    }
  }
}
