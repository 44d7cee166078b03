// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.EnvelopeFields;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/** The treatment of a message that the rules do not simply let be recorded. */
final class RuledMessages {
  private RuledMessages() {}

  /** Whether the message gets a span; if not, the context that it came with is passed on. */
  static boolean isTraced(
      ThreadState s, MessageCell cell, EnvelopeFields envelope, Object message) {
    Trace trace = envelope.deimos$trace();
    boolean begun = trace != null && trace.hasBegun();
    return cell.traced
        && (begun || cell.starts)
        && isWanted(s, cell.filter, trace, envelope.deimos$parent(), message, begun);
  }

  /** Such a message is at work, with or without a span. */
  static void begun(Frame f, MessageCell cell, Object message) {
    if (cell.wrapper) {
      f.wraps();
    }
    ContentRule rule = cell.content;
    if (rule != null && f.isRecording()) {
      f.says(Content.of(message, rule));
    }
  }

  /** The real message has become known after its span was begun, which may not have to be. */
  static void unwrapped(ThreadState s, Frame f, MessageCell real, Object message) {
    OpenRecord r = f.record;
    boolean begun = r.parentId != 0;
    if (real.traced
        && (begun || real.starts)
        && isWanted(s, real.filter, begun ? f.trace : null, r.parentId, message, begun)) {
      begun(f, real, message);
      return;
    }
    Trace own = real.gathers ? f.trace() : null;
    r.work = real.counted ? OpenRecord.TIME : OpenRecord.NOTHING;
    f.spanId = r.parentId;
    if (!begun) {
      f.trace = own;
      if (real.gathers) {
        f.gather();
      }
    }
  }

  /**
   * Asks the filter, in the context that the message came with: what it looks at is then no span
   * that is over, and what is made for it is nobody else's. A filter that fails has no say.
   */
  private static boolean isWanted(
      ThreadState s,
      @Nullable BiPredicate<Object, Boolean> filter,
      @Nullable Trace trace,
      long parent,
      Object message,
      boolean begun) {
    if (filter == null) {
      return true;
    }
    Frame asked = s.enter(trace, parent);
    try {
      return filter.test(message, begun);
    } catch (Throwable t) {
      Faults.caught(t);
      return true;
    } finally {
      s.leave(asked);
    }
  }
}
