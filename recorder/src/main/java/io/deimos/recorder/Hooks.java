// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

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
 * one before in the same mailbox run, and is read only for the first of a run.
 */
public final class Hooks {
  private static final boolean TRACING = Recorder.config().tracing();
  private static final boolean METRICS = Recorder.config().metrics();

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
    if (!TRACING) {
      envelope.deimos$sent(null, 0, Clock.now());
      return;
    }
    Trace trace = null;
    long parent = 0;
    if (s != null && (s.active || s.attached != null)) {
      if (s.attached == null) {
        trace = s.trace();
        parent = s.spanId;
      } else {
        s.captureCurrent();
        trace = s.capturedTrace;
        parent = s.capturedSpan;
      }
    }
    envelope.deimos$sent(trace, parent, isTimed(trace) ? Clock.now() : 0);
  }

  private static boolean isTimed(@Nullable Trace trace) {
    return METRICS
        || (trace == null ? Recorder.sampling().mode() != Sampling.NEVER : trace.isSampled());
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
    if (s.actor != actor) {
      s.actor = actor;
    }
    if (s.cell != cell) {
      s.cell = cell;
    }
    Trace trace = envelope.deimos$trace();
    if (cell.transparent) {
      passOn(s, trace, envelope.deimos$parent());
      return s;
    }
    boolean recording = TRACING && inTrace(s, lane, cell, trace, envelope.deimos$parent());
    s.recording = recording;
    boolean timed = METRICS || recording;
    s.timed = timed;
    if (timed) {
      long start = s.lastEnd;
      if (start == 0) {
        start = Clock.now();
      }
      long sent = envelope.deimos$sent();
      s.sent = sent;
      s.start = sent - start > 0 && sent != 0 ? sent : start;
      if (recording) {
        sentBy(s, senderRef, sender);
      }
    }
    return s;
  }

  private static void passOn(ThreadState s, @Nullable Trace trace, long span) {
    s.trace = trace;
    s.spanId = span;
    s.recording = false;
    s.timed = false;
  }

  /** Goes on in the sender's trace, or begins one; true if this message gets a span. */
  private static boolean inTrace(
      ThreadState s, Lane lane, MessageCell cell, @Nullable Trace trace, long parent) {
    boolean sampled;
    if (trace == null || !trace.hasBegun()) {
      long hi = lane.nextId();
      long lo = lane.nextId();
      sampled = Recorder.sampling().decide(hi, lo, cell);
      s.hi = hi;
      s.lo = lo;
      s.parentId = 0;
      Trace root = trace == null && sampled ? null : rootTrace(trace, hi, lo, sampled);
      if (s.trace != root) {
        s.trace = root;
      }
    } else {
      sampled = trace.isSampled();
      s.hi = trace.hi();
      s.lo = trace.lo();
      s.parentId = parent;
      if (s.trace != trace) {
        s.trace = trace;
      }
    }
    s.spanId = sampled ? lane.nextId() : parent;
    return sampled;
  }

  private static Trace rootTrace(@Nullable Trace handedOn, long hi, long lo, boolean sampled) {
    return handedOn == null ? Trace.UNSAMPLED : new Trace(hi, lo, sampled, handedOn.baseContext());
  }

  private static void sentBy(ThreadState s, @Nullable Object ref, @Nullable Object identity) {
    if (identity instanceof ActorTelemetry known) {
      s.sender = (long) known.id() << 32;
      return;
    }
    s.sender = 0;
    if (ref != null && ref.getClass() != s.noSenderClass) {
      if (ref.getClass()
          .getName()
          .endsWith("DeadLetterActorRef")) { // the remote provider has its own
        s.noSenderClass = ref.getClass();
      } else {
        s.sentBy(ref);
      }
    }
  }

  /** The message taken out by {@link #begin} is done, with or without a failure. */
  public static void end(ThreadState s) {
    if (s.timed) {
      long now = Clock.now();
      long duration = now - s.start;
      MessageCell cell = s.cell;
      if (METRICS && cell != null) {
        cell.add(duration, s.sent == 0 ? 0 : s.start - s.sent);
        if (s.error != null) {
          cell.failed();
        }
      }
      if (s.recording) {
        write(s, duration);
      }
      ActorTelemetry actor = s.actor;
      if (actor != null && actor.kind().isProvisional()) {
        LifecycleHooks.settle(actor);
      }
      s.exit();
      s.lastEnd = s.depth == 0 ? now : 0;
    } else {
      s.exit();
      s.lastEnd = 0;
    }
  }

  private static void write(ThreadState s, long duration) {
    Lane lane = s.lane();
    Ring ring = lane.ring;
    MessageCell cell = s.cell;
    ActorTelemetry actor = s.actor;
    if (ring == null || cell == null || actor == null) {
      return;
    }
    Rare rare = null;
    if (s.rare) {
      rare = rare(s);
    }
    ring.tryWrite(
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
        rare);
  }

  private static @Nullable Rare rare(ThreadState s) {
    Object made = s.materialised;
    Object userSpan = made == null ? null : Recorder.bridge().userSpan(made);
    return s.error == null && s.senderRef == null && userSpan == null
        ? null
        : new Rare(s.error, userSpan, s.senderRef, null);
  }

  /** A mailbox starts to run on this thread: no message has ended here yet. */
  public static void runBegins() {
    ThreadState s = ThreadState.currentOrNew();
    s.lastEnd = 0;
    s.fired[Fired.MAILBOX_RUN.index]++;
  }

  /** A system message is about to be processed; its time is not the next message's. */
  public static void systemMessage() {
    ThreadState s = ThreadState.currentOrNew();
    s.lastEnd = 0;
    s.fired[Fired.SYSTEM_MESSAGE.index]++;
  }

  /** A mailbox has run on this thread. */
  public static void runEnds() {
    ThreadState s = ThreadState.current();
    if (s != null) {
      s.runEnded();
    }
  }

  /**
   * A mailbox is handed to its executor: the context of the actor at work here is not the
   * mailbox's, and nobody shall ask for it.
   */
  public static @Nullable ThreadState hide() {
    ThreadState s = ThreadState.current();
    if (s == null || (!s.active && s.attached == null)) {
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
