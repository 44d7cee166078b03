// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.Sampling;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Bridges;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.context.TraceSampling;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.counts.RecordCells;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Ring;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.trace.TraceGuard;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.EnvelopeFields;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Called by woven code on the way of every message: one static call at the send, one when the
 * message is taken out, one when it is done.
 *
 * <p><b>Threads.</b> Each call works on the calling thread's own {@link ThreadState}.
 *
 * <p><b>Record.</b> One per message, see {@link Ring}; written by {@link #end}.
 *
 * <p><b>Order.</b> Envelope fields are plain: the mailbox that hands the message over orders them.
 *
 * <p><b>Full.</b> See {@link Ring}.
 *
 * <p><b>Clock.</b> One read at the send, one at the end; the start of a message is the end of the
 * one before in the same mailbox run, and is read only for the first of a run. Without tracing only
 * one message in {@link RecorderConfig#timedOneIn} is timed, and then stands for those before it.
 *
 * <p><b>Metrics.</b> A message with a span is not counted here: its record says it all, and {@link
 * RecordCells} counts it from there. One whose record finds no room is counted here, as are those
 * without a span.
 */
public final class Hooks {
  private static final Hook MAILBOX_RUN = Hook.named("Mailbox.run");
  private static final Hook SYSTEM_MESSAGE = Hook.named("ActorCell.systemInvoke");
  private static final Hook HIDE = Hook.named("ExecutorServiceDelegate.execute");

  private static final boolean TRACING = RecorderConfig.current().tracing();
  private static final boolean METRICS = RecorderConfig.current().metrics();
  private static final boolean THINNING = RecorderConfig.current().rings().thinning();
  private static final int ONE_IN = RecorderConfig.current().timedOneIn();

  private Hooks() {}

  /** {@link #send(EnvelopeFields, ThreadState)} where the thread's state is not at hand. */
  public static void send(EnvelopeFields envelope) {
    send(envelope, ThreadState.current());
  }

  /**
   * A message is put into its envelope, on the sender's thread.
   *
   * @param s the sending thread's state, if it has one
   */
  public static void send(EnvelopeFields envelope, @Nullable ThreadState s) {
    if (TRACING && s != null && s.at.hasContext()) {
      sendOn(envelope, s, s.at);
    } else if (TRACING ? isTimed(s) : isDue(s)) {
      envelope.deimos$sent(null, 0, Clock.now());
    }
  }

  /** The new envelope's fields are empty, which is what a message without a context needs. */
  private static boolean isTimed(@Nullable ThreadState s) {
    return InForce.sampling().mode() != Sampling.NEVER || (METRICS && isDue(s));
  }

  /** Whether this is one of the messages without a span that are timed. */
  private static boolean isDue(@Nullable ThreadState s) {
    if (ONE_IN == 1) {
      return true;
    }
    ThreadState known = s != null ? s : ThreadState.currentOrNewOfPlatform();
    return known == null || known.isDue(ONE_IN);
  }

  private static void sendOn(EnvelopeFields envelope, ThreadState s, Frame in) {
    Trace trace;
    long parent;
    if (in.isScoped()) {
      s.captureCurrent();
      trace = s.capturedTrace;
      parent = s.capturedSpan;
    } else {
      trace = in.trace();
      parent = in.spanId;
    }
    boolean timed = trace == null ? isTimed(s) : trace.isSampled() || (METRICS && isDue(s));
    envelope.deimos$sent(trace, parent, timed ? Clock.now() : 0);
  }

  /** {@code begin} where the thread's state is not at hand. */
  public static Frame begin(
      ActorTelemetry actor,
      EnvelopeFields envelope,
      Object message,
      @Nullable Object senderRef,
      @Nullable Object sender) {
    return begin(null, actor, envelope, message, senderRef, sender);
  }

  /**
   * An actor takes a message out of its mailbox. Its frame is entered when all is known: what fails
   * before, or is the user's, finds the thread as it was.
   *
   * @param known this thread's state, if it has one
   * @param senderRef the envelope's sender, with its identity {@code sender}
   * @return to be given to {@link #end}
   */
  public static Frame begin(
      @Nullable ThreadState known,
      ActorTelemetry actor,
      EnvelopeFields envelope,
      Object message,
      @Nullable Object senderRef,
      @Nullable Object sender) {
    ThreadState s = known != null ? known : ThreadState.currentOrNew();
    Lane lane = s.lane();
    MessageCell cell = lane.cells.get(actor.kind(), message.getClass());
    int how = cell.how;
    boolean traced =
        TRACING
            && (how == MessageCell.PLAIN
                || (how == MessageCell.RULED
                    && RuledMessages.isTraced(s, cell, envelope, message)));
    Frame f = s.free();
    OpenRecord r = f.record;
    r.cellIndex = cell.index;
    if (r.actor != actor) {
      r.actor = actor;
    }
    if (!traced) {
      passOn(f, envelope.deimos$trace(), envelope.deimos$parent());
      willCount(s, f, cell, envelope.deimos$sent());
      if (how == MessageCell.RULED && cell.gathers && envelope.deimos$trace() == null) {
        f.gather();
      }
    } else if (inTrace(s, f, lane, cell, envelope)) {
      times(s, r, envelope.deimos$sent());
      sentBy(s, f, senderRef, sender);
      r.work = OpenRecord.RECORD;
    } else {
      willCount(s, f, cell, envelope.deimos$sent());
    }
    s.enter(f);
    if (how == MessageCell.RULED) {
      RuledMessages.begun(f, cell, message);
    }
    return f;
  }

  private static void times(ThreadState s, OpenRecord r, long sent) {
    long last = s.lastEnd;
    long start = last != 0 ? last : Clock.now();
    r.sent = sent;
    r.start = sent - start > 0 && sent != 0 ? sent : start;
  }

  private static void passOn(Frame f, @Nullable Trace trace, long span) {
    if (f.trace != trace) {
      f.trace = trace;
    }
    f.spanId = span;
  }

  /** A message without a span is timed if its send was, or if such messages are not quick. */
  private static void willCount(ThreadState s, Frame f, MessageCell cell, long sent) {
    OpenRecord r = f.record;
    if (!METRICS || !cell.counted) {
      r.work = OpenRecord.NOTHING;
    } else if (ONE_IN == 1 || sent != 0 || cell.isSlow()) {
      times(s, r, sent);
      r.work = OpenRecord.TIME;
    } else {
      r.work = OpenRecord.COUNT;
    }
  }

  /** Goes on in the sender's trace, or begins one; true if this message gets a span. */
  private static boolean inTrace(
      ThreadState s, Frame f, Lane lane, MessageCell cell, EnvelopeFields envelope) {
    Trace trace = envelope.deimos$trace();
    if (trace != null && envelope.deimos$sent() - trace.deadline > 0) {
      trace = unusual(s, f, cell, trace, envelope);
    }
    if (trace == null || !trace.hasBegun()) {
      return beginsTrace(s, f, lane, cell, trace);
    }
    long parent = envelope.deimos$parent();
    long span = parent;
    boolean sampled = trace.isSampled();
    if (sampled) {
      span = lane.nextId();
      if (TraceGuard.counts(span)) {
        Trace next = TraceGuard.counted(trace);
        if (next == null) {
          return beginsTrace(s, f, lane, cell, cut(s, f, trace, parent));
        }
        trace = next;
      }
      OpenRecord r = f.record;
      r.hi = trace.hi();
      r.lo = trace.lo();
      r.parentId = parent;
    }
    if (f.trace != trace) {
      f.trace = trace;
    }
    f.spanId = span;
    return sampled;
  }

  /**
   * A trace that shall not go on, or has a state, a message from a stash, a tick.
   *
   * @return the trace to go on in; null or one that has not begun if there is none
   */
  private static @Nullable Trace unusual(
      ThreadState s, Frame f, MessageCell cell, Trace trace, EnvelopeFields envelope) {
    if (trace.isLink()) {
      f.linkedTo(trace.link);
      return null;
    }
    if (trace.stashed != 0) {
      f.stashedSince(trace.stashed);
    }
    if (trace.waited != 0) {
      f.bufferedFor(trace.waited);
    }
    Object stated = trace.stated();
    if (stated != null) {
      f.statedBy(stated);
    }
    Trace plain = trace.isMarked() || trace.fired ? trace.unstashed() : trace;
    if (trace.isSampled() && TraceGuard.isOver(plain, envelope.deimos$sent())) {
      return cut(s, f, plain, envelope.deimos$parent());
    }
    return trace.fired ? Timers.sent(f, cell, plain, envelope.deimos$parent()) : plain;
  }

  /** The context that is handed on to the trace that a message begins because this one is over. */
  private static @Nullable Trace cut(ThreadState s, Frame f, Trace trace, long parent) {
    MessageCell cell = s.cell(f);
    boolean told = cell == null || !cell.isSelfTests();
    f.linkedTo(TraceGuard.cut(trace, parent, told));
    f.record.stated = null; // that of the trace that ends here
    Object baggage = Bridges.baggage(trace);
    return baggage == null ? null : new Trace(0, 0, false, baggage);
  }

  /** A trace of this one message needs no object; {@link Frame#trace} makes it if need be. */
  static boolean beginsTrace(
      ThreadState s, Frame f, Lane lane, MessageCell cell, @Nullable Trace handedOn) {
    Sampling own = cell.sampling;
    Sampling sampling = own == null ? InForce.sampling() : own;
    long hi = 0;
    long lo = 0;
    boolean sampled = false;
    if (sampling.mode() != Sampling.NEVER || handedOn != null) {
      lo = lane.nextId();
      hi = lane.traceHigh(lo);
      sampled =
          TraceSampling.decide(s, f, sampling, hi, lo, cell) && !(THINNING && thins(lane, cell));
    }
    Trace root =
        handedOn != null ? handedOn.begun(hi, lo, sampled) : sampled ? null : Trace.UNSAMPLED;
    if (f.trace != root) {
      f.trace = root;
    }
    OpenRecord r = f.record;
    r.hi = hi;
    r.lo = lo;
    r.parentId = 0;
    f.spanId = sampled ? lane.nextId() : 0;
    return sampled;
  }

  /**
   * Messages that nobody is told of, those of the self-test, are neither left out nor counted as
   * that.
   */
  private static boolean thins(Lane lane, MessageCell cell) {
    return !cell.isSelfTests() && lane.thins();
  }

  private static void sentBy(
      ThreadState s, Frame f, @Nullable Object ref, @Nullable Object identity) {
    if (identity instanceof ActorTelemetry known) {
      if (known.isReleased()) {
        f.record.sender = 0;
        f.sentBy(known); // its number is another's
      } else {
        f.record.sender = (long) known.id() << 32;
      }
      return;
    }
    f.record.sender = 0;
    WeakReference<Class<?>> none = s.noSender;
    if (ref != null && (none == null || !none.refersTo(ref.getClass()))) {
      withoutCell(s, f, ref);
    }
  }

  private static void withoutCell(ThreadState s, Frame f, Object ref) {
    if (ref.getClass()
        .getName()
        .endsWith("DeadLetterActorRef")) { // the remote provider has its own
      s.noSender = new WeakReference<>(ref.getClass());
    } else {
      f.sentBy(ref);
    }
  }

  /** The message taken out by {@link #begin} is done, with or without a failure. */
  public static void end(Frame f) {
    ThreadState s = f.thread;
    long end = 0;
    try {
      int work = f.record.work;
      if (work != OpenRecord.NOTHING) {
        if (work != OpenRecord.COUNT) {
          end = Clock.now();
        }
        MessageCell cell = s.lane().cells.at(f.record.cellIndex);
        if (cell.kind.isProvisional()) {
          settle(f); // before the drainer reads whose record it is
        }
        if (work != OpenRecord.RECORD || !write(s, f, cell, end)) {
          if (METRICS && cell.counted) {
            count(f.record, cell, end);
          }
        }
      }
    } finally {
      s.leave(f);
      s.lastEnd = s.isBusy() ? 0 : end;
    }
  }

  private static void count(OpenRecord r, MessageCell cell, long end) {
    if (end == 0) {
      cell.add();
    } else {
      cell.add(Math.max(0, end - r.start), r.sent == 0 || r.stashed != 0 ? -1 : r.start - r.sent);
    }
    if (r.error != null) {
      cell.failed();
    }
  }

  private static void settle(Frame f) {
    ActorTelemetry actor = f.record.actor;
    if (actor != null && actor.kind().isProvisional()) {
      LifecycleHooks.settle(actor);
    }
  }

  private static boolean write(ThreadState s, Frame f, MessageCell cell, long end) {
    OpenRecord r = f.record;
    ActorTelemetry actor = r.actor;
    return actor != null
        && s.lane()
            .write(
                r.hi,
                r.lo,
                f.spanId,
                r.parentId,
                r.sent,
                r.start,
                Math.max(0, end - r.start),
                cell.message.id(),
                0,
                r.sender | actor.id(),
                f.rare());
  }

  /** A mailbox starts to run on this thread: no message has ended here yet. */
  public static ThreadState runBegins() {
    return runBegins(null);
  }

  /**
   * {@link #runBegins()}.
   *
   * @param known this thread's state, if it has one
   * @return to be given to {@link #runEnds}
   */
  public static ThreadState runBegins(@Nullable ThreadState known) {
    ThreadState s = known != null ? known : ThreadState.currentOrNew();
    s.lastEnd = 0;
    MAILBOX_RUN.fires();
    return s;
  }

  /**
   * A system message is about to be processed; its time is not the next message's, and what its
   * handlers leave behind is nobody's.
   *
   * @param creation the message that makes an actor, which is made in the context of who asked for
   *     it; null for any other
   * @return to be given to {@link ContextHooks#ran} if not null
   */
  public static @Nullable Frame systemMessage(@Nullable ContextFields creation) {
    ThreadState s = ThreadState.currentOrNew();
    s.lastEnd = 0;
    SYSTEM_MESSAGE.fires();
    Frame in = creation == null ? null : ContextHooks.run(creation);
    if (in == null && TRACING && (!s.isBusy() || s.isHidden())) {
      // A context that the actor makes current and forgets is not the thread's, and the thread's
      // own is not the actor's. A stream that starts may have elements, each with its context.
      in = s.enter(null, 0);
    }
    return in;
  }

  /** The run that {@link #runBegins} was called for is over. */
  public static void runEnds(ThreadState s) {
    s.runEnded();
  }

  /**
   * A mailbox is handed to its executor: the context of the actor at work here is not the
   * mailbox's, and nobody shall ask for it. An executor that runs the mailbox here, in the caller,
   * has it processed in frames of its own.
   *
   * @return to be given to {@link #unhide} if not null
   */
  public static @Nullable Frame hide() {
    return hide(ThreadState.current());
  }

  /**
   * {@link #hide()}.
   *
   * @param s this thread's state, if it has one
   */
  public static @Nullable Frame hide(@Nullable ThreadState s) {
    if (s == null || !s.hasContext()) {
      return null;
    }
    Frame hidden = s.at;
    hidden.hide();
    HIDE.fires();
    return hidden;
  }

  /** Ends {@link #hide}. */
  public static void unhide(Frame hidden) {
    hidden.unhide();
  }
}
