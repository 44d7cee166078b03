// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.context.Bridges;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.TimerPath;
import io.deimos.recorder.trace.Trace;
import org.jspecify.annotations.Nullable;

/**
 * Sees to it that a timer which is armed once, again and again, does not keep one trace alive for
 * ever. The first message of a timer goes on in the trace in which the timer was armed. When the
 * same message comes to the same actor from a timer once more within that trace, it begins a trace
 * of its own, linked to the span in which the timer was armed, as a tick does.
 */
final class Timers {
  private Timers() {}

  /**
   * A message that a timer sent is about to be processed.
   *
   * @param trace its trace, without marks
   * @return the trace to go on in, or one that has not begun
   */
  static Trace sent(Frame f, MessageCell cell, Trace trace, long parent) {
    if (cell.wrapper) {
      f.sentByTimer(); // until it is known what is in it
      return trace;
    }
    TimerPath path = TimerPath.longer(trace.timers, number(f.record, cell));
    return path == null ? again(f, cell, trace, parent) : trace.behind(path);
  }

  private static Trace again(Frame f, MessageCell cell, Trace trace, long parent) {
    f.linkedTo(new Link(trace.hi(), trace.lo(), parent, Link.TICK));
    f.record.stated = null; // that of the trace that ends here
    return new Trace(Bridges.baggage(trace), TimerPath.of(number(f.record, cell)));
  }

  /** It has become known what is in a wrapper that a timer sent; nothing has been sent from it. */
  static void unwrapped(ThreadState s, Frame f, MessageCell real) {
    OpenRecord r = f.record;
    Trace trace = f.trace();
    if (!r.byTimer || trace == null || !f.isRecording()) {
      return;
    }
    r.byTimer = false;
    TimerPath path = TimerPath.longer(trace.timers, number(r, real));
    if (path != null) {
      f.goOnIn(trace.behind(path), f.spanId);
      return;
    }
    @Nullable Trace handedOn = again(f, real, trace, r.parentId);
    f.goOnIn(null, 0);
    if (!Hooks.beginsTrace(s, f, s.lane(), real, handedOn)) {
      r.work = real.counted ? OpenRecord.TIME : OpenRecord.NOTHING;
    }
  }

  private static long number(OpenRecord record, MessageCell cell) {
    ActorTelemetry actor = record.actor;
    return (actor == null ? 0 : (long) actor.id() << 32) | cell.message.id();
  }
}
