// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What woven code calls on the way of every message: one static call at the send, one when the
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
  private static final boolean TRACING = Recorder.config().tracing();
  private static final boolean METRICS = Recorder.config().metrics();
  private static final boolean THINNING = Recorder.config().thinning();
  private static final int ONE_IN = Recorder.config().timedOneIn();

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
    if (TRACING && s != null && (s.depth | s.odd) != 0 && s.hasContext()) {
      sendOn(envelope, s);
    } else if (TRACING ? isTimed(s) : isDue(s)) {
      envelope.deimos$sent(null, 0, Clock.now());
    }
  }

  /** The new envelope's fields are empty, which is what a message without a context needs. */
  private static boolean isTimed(@Nullable ThreadState s) {
    return Recorder.sampling().mode() != Sampling.NEVER || (METRICS && isDue(s));
  }

  /** Whether this is one of the messages without a span that are timed. */
  private static boolean isDue(@Nullable ThreadState s) {
    if (ONE_IN == 1) {
      return true;
    }
    ThreadState known = s != null ? s : ThreadState.currentOrNewOfPlatform();
    return known == null || known.isDue(ONE_IN);
  }

  private static void sendOn(EnvelopeFields envelope, ThreadState s) {
    Trace trace;
    long parent;
    if (s.attached == null) {
      trace = s.trace();
      parent = s.spanId;
    } else {
      s.captureCurrent();
      trace = s.capturedTrace;
      parent = s.capturedSpan;
    }
    boolean timed = trace == null ? isTimed(s) : trace.isSampled() || (METRICS && isDue(s));
    envelope.deimos$sent(trace, parent, timed ? Clock.now() : 0);
  }

  /** {@code begin} where the thread's state is not at hand. */
  public static ThreadState begin(
      ActorTelemetry actor,
      EnvelopeFields envelope,
      Object message,
      @Nullable Object senderRef,
      @Nullable Object sender) {
    return begin(null, actor, envelope, message, senderRef, sender);
  }

  /**
   * An actor takes a message out of its mailbox.
   *
   * @param known this thread's state, if it has one
   * @param senderRef the envelope's sender, with its identity {@code sender}
   * @return to be given to {@link #end}
   */
  public static ThreadState begin(
      @Nullable ThreadState known,
      ActorTelemetry actor,
      EnvelopeFields envelope,
      Object message,
      @Nullable Object senderRef,
      @Nullable Object sender) {
    ThreadState s = known != null ? known : ThreadState.currentOrNew();
    s.enter();
    Lane lane = s.lane();
    MessageCell cell = lane.cells.get(actor.kind(), message.getClass());
    s.cellIndex = cell.index;
    if (s.actor != actor) {
      s.actor = actor;
    }
    int how = cell.how;
    if (how == MessageCell.PASS) {
      passOn(s, envelope.deimos$trace(), envelope.deimos$parent());
    } else if (TRACING
        && (how == MessageCell.PLAIN || RuledMessages.isTraced(s, cell, envelope, message))
        && inTrace(s, lane, cell, envelope)) {
      long sent = envelope.deimos$sent();
      long start = start(s);
      s.sent = sent;
      s.start = sent - start > 0 && sent != 0 ? sent : start;
      sentBy(s, senderRef, sender);
      s.work = ThreadState.RECORD;
      if (how != MessageCell.PLAIN) {
        RuledMessages.begun(s, cell, message);
      }
    } else if (METRICS && cell.counted) {
      willCount(s, cell, envelope.deimos$sent());
    } else {
      s.work = ThreadState.NOTHING;
    }
    return s;
  }

  private static long start(ThreadState s) {
    long start = s.lastEnd;
    return start != 0 ? start : Clock.now();
  }

  private static void passOn(ThreadState s, @Nullable Trace trace, long span) {
    if (s.trace != trace) {
      s.trace = trace;
    }
    s.spanId = span;
    s.work = ThreadState.NOTHING;
  }

  /** A message without a span is timed if its send was, or if such messages are not quick. */
  private static void willCount(ThreadState s, MessageCell cell, long sent) {
    if (ONE_IN == 1 || sent != 0 || cell.isSlow()) {
      long start = start(s);
      s.sent = sent;
      s.start = sent - start > 0 && sent != 0 ? sent : start;
      s.work = ThreadState.TIME;
    } else {
      s.work = ThreadState.COUNT;
    }
  }

  /** Goes on in the sender's trace, or begins one; true if this message gets a span. */
  private static boolean inTrace(
      ThreadState s, Lane lane, MessageCell cell, EnvelopeFields envelope) {
    Trace trace = envelope.deimos$trace();
    if (trace != null && envelope.deimos$sent() - trace.deadline > 0) {
      trace = unusual(s, trace, envelope);
    }
    if (trace == null || !trace.hasBegun()) {
      return beginsTrace(s, lane, cell, trace);
    }
    long parent = envelope.deimos$parent();
    long span = parent;
    boolean sampled = trace.isSampled();
    if (sampled) {
      span = lane.nextId();
      if (TraceGuard.counts(span)) {
        Trace next = TraceGuard.counted(trace);
        if (next == null) {
          return beginsTrace(s, lane, cell, cut(s, trace, parent));
        }
        trace = next;
      }
      s.hi = trace.hi();
      s.lo = trace.lo();
      s.parentId = parent;
    }
    if (s.trace != trace) {
      s.trace = trace;
    }
    s.spanId = span;
    return sampled;
  }

  /**
   * A trace that shall not go on, or has a state, a message from a stash, a tick.
   *
   * @return the trace to go on in; null or one that has not begun if there is none
   */
  private static @Nullable Trace unusual(ThreadState s, Trace trace, EnvelopeFields envelope) {
    if (trace.isLink()) {
      s.linkedTo(trace.link);
      return null;
    }
    if (trace.stashed != 0) {
      s.stashedSince(trace.stashed);
    }
    if (trace.waited != 0) {
      s.bufferedFor(trace.waited);
    }
    Object stated = trace.stated();
    if (stated != null) {
      s.statedBy(stated);
    }
    Trace plain = trace.isMarked() ? trace.unstashed() : trace;
    return trace.isSampled() && TraceGuard.isOver(plain, envelope.deimos$sent())
        ? cut(s, plain, envelope.deimos$parent())
        : plain;
  }

  /** What is handed on to the trace that a message begins because this one is over. */
  private static @Nullable Trace cut(ThreadState s, Trace trace, long parent) {
    MessageCell cell = s.cell();
    boolean told = cell == null || !cell.isSelfTests();
    s.linkedTo(TraceGuard.cut(trace, parent, told));
    s.stated = null; // that of the trace that ends here
    Object context = trace.baseContext();
    return context == null ? null : new Trace(0, 0, false, context);
  }

  /** A trace of this one message needs no object; {@link ThreadState#trace} makes it if need be. */
  private static boolean beginsTrace(
      ThreadState s, Lane lane, MessageCell cell, @Nullable Trace handedOn) {
    Sampling own = cell.sampling;
    Sampling sampling = own == null ? Recorder.sampling() : own;
    long hi = 0;
    long lo = 0;
    boolean sampled = false;
    if (sampling.mode() != Sampling.NEVER || handedOn != null) {
      lo = lane.nextId();
      hi = lane.traceHigh(lo);
      sampled = sampling.decide(hi, lo, cell) && !(THINNING && thins(lane, cell));
    }
    Trace root =
        handedOn != null
            ? new Trace(hi, lo, sampled, handedOn.baseContext())
            : sampled ? null : Trace.UNSAMPLED;
    if (s.trace != root) {
      s.trace = root;
    }
    s.hi = hi;
    s.lo = lo;
    s.parentId = 0;
    s.spanId = sampled ? lane.nextId() : 0;
    return sampled;
  }

  /** What nobody is told of, the self-test's, is neither left out nor counted as that. */
  private static boolean thins(Lane lane, MessageCell cell) {
    Ring ring = lane.ring;
    return ring != null && !cell.isSelfTests() && ring.thins();
  }

  private static void sentBy(ThreadState s, @Nullable Object ref, @Nullable Object identity) {
    if (identity instanceof ActorTelemetry known) {
      s.sender = (long) known.id() << 32;
      return;
    }
    s.sender = 0;
    if (ref != null && ref.getClass() != s.noSenderClass) {
      withoutCell(s, ref);
    }
  }

  private static void withoutCell(ThreadState s, Object ref) {
    if (ref.getClass()
        .getName()
        .endsWith("DeadLetterActorRef")) { // the remote provider has its own
      s.noSenderClass = ref.getClass();
    } else {
      s.sentBy(ref);
    }
  }

  /** The message taken out by {@link #begin} is done, with or without a failure. */
  public static void end(ThreadState s) {
    long end = 0;
    int work = s.work;
    if (work != ThreadState.NOTHING) {
      if (work != ThreadState.COUNT) {
        end = Clock.now();
      }
      MessageCell cell = s.lane().cells.at(s.cellIndex);
      if (cell.kind.isProvisional()) {
        settle(s); // before the drainer reads whose record it is
      }
      if (work != ThreadState.RECORD || !write(s, cell, Math.max(0, end - s.start))) {
        if (METRICS && cell.counted) {
          count(s, cell, end);
        }
      }
    }
    s.exit();
    s.lastEnd = s.depth == 0 ? end : 0;
  }

  private static void count(ThreadState s, MessageCell cell, long end) {
    if (end == 0) {
      cell.add();
    } else {
      cell.add(Math.max(0, end - s.start), s.sent == 0 || s.stashed != 0 ? -1 : s.start - s.sent);
    }
    if (s.error != null) {
      cell.failed();
    }
  }

  private static void settle(ThreadState s) {
    ActorTelemetry actor = s.actor;
    if (actor != null && actor.kind().isProvisional()) {
      LifecycleHooks.settle(actor);
    }
  }

  private static boolean write(ThreadState s, MessageCell cell, long duration) {
    Ring ring = s.lane().ring;
    ActorTelemetry actor = s.actor;
    return ring != null
        && actor != null
        && ring.tryWrite(
            s.hi,
            s.lo,
            s.spanId,
            s.parentId,
            s.sent,
            s.start,
            duration,
            cell.message.id(),
            0,
            s.sender | actor.id(),
            s.odd == 0 ? null : rare(s));
  }

  private static @Nullable Rare rare(ThreadState s) {
    Object made = s.materialised;
    Object userSpan = made == null ? null : Recorder.bridge().userSpan(made);
    boolean stashed = s.stashed != 0;
    Rare noted = s.incidents;
    return s.error == null
            && s.senderRef == null
            && userSpan == null
            && s.link == null
            && !stashed
            && s.buffered == 0
            && s.stated == null
            && noted == null
        ? null
        : new Rare(
            s.error,
            userSpan,
            s.senderRef,
            null,
            s.link,
            stashed,
            noted == null ? List.of() : noted.incidents(),
            null,
            noted == null ? null : noted.content(),
            s.buffered,
            s.stated);
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
    s.fired[Fired.MAILBOX_RUN.index]++;
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
  public static @Nullable ThreadState systemMessage(@Nullable ContextFields creation) {
    ThreadState s = ThreadState.currentOrNew();
    s.lastEnd = 0;
    s.fired[Fired.SYSTEM_MESSAGE.index]++;
    ThreadState in = creation == null ? null : ContextHooks.run(creation);
    if (in == null && TRACING && s.depth == 0) {
      // What the actor makes current and forgets is not the thread's, and what the thread was left
      // with is not the actor's. A stream that starts may have elements, each with its context.
      s.enter(null, 0);
      in = s;
    }
    return in;
  }

  /** The run that {@link #runBegins} was called for is over. */
  public static void runEnds(ThreadState s) {
    s.runEnded();
  }

  /**
   * A mailbox is handed to its executor: the context of the actor at work here is not the
   * mailbox's, and nobody shall ask for it.
   */
  public static @Nullable ThreadState hide() {
    return hide(ThreadState.current());
  }

  /**
   * {@link #hide()}.
   *
   * @param s this thread's state, if it has one
   */
  public static @Nullable ThreadState hide(@Nullable ThreadState s) {
    if (s == null || !s.hasContext()) {
      return null;
    }
    s.hidden++;
    s.fired[Fired.HIDE.index]++;
    return s;
  }

  /** Ends {@link #hide}. */
  public static void unhide(ThreadState s) {
    s.hidden--;
  }
}
