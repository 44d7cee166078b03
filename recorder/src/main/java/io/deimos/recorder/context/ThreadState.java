// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.trace.Trace;
import java.lang.ref.WeakReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The work of one thread, its lane, and notes between hooks that surround each other. Touched by
 * its own thread only.
 *
 * <p>All that belongs to one piece of work is in a {@link Frame}; the one that is {@link #at} work
 * is the innermost. A frame is filled first and entered last, so that a failure on the way leaves
 * nothing behind; whoever leaves a frame takes along what was left open inside of it.
 */
public final class ThreadState {
  private static final ThreadLocal<@Nullable ThreadState> LOCAL = new ThreadLocal<>();
  private static final ReceivedTraces RECEIVED = new ReceivedTraces();
  private static final boolean HAS_VIRTUAL = Runtime.version().feature() >= 21;

  private final boolean virtual;
  @Nullable Lane lane;

  /** The innermost frame; outside of all work the outermost one, which is then not busy. */
  public Frame at = new Frame(this, null);

  /** The end of the message before in the same mailbox run, or 0. */
  public long lastEnd;

  /** How many messages are still sent from here without a time, if only some are timed. */
  private int unstamped;

  private int strides = 1;

  /** True while an actor asks its journal for a write. */
  public boolean writing;

  /** True while a log record is kept here, which may run the user's redactor. */
  public boolean keepsLog;

  /** The depth at which a typed stash is being emptied; 0 if none is. */
  public int unstashBase;

  /** How many messages routers have passed on here: one in so many is timed. */
  public int routed;

  /** The class of the reference that stands for no sender, which is the application's. */
  public @Nullable WeakReference<Class<?>> noSender;

  private @Nullable Object capturedFrom;
  public @Nullable Trace capturedTrace;
  public long capturedSpan;
  private @Nullable Trace lastReceived;

  private ThreadState(boolean virtual) {
    this.virtual = virtual;
  }

  /** This thread's state, or null if it has never had one. */
  public static @Nullable ThreadState current() {
    return LOCAL.get();
  }

  /** This thread's state, made now if need be. */
  public static ThreadState currentOrNew() {
    ThreadState s = LOCAL.get();
    return s != null ? s : create();
  }

  /** As {@link #currentOrNew}, but null on a virtual thread that has none. */
  public static @Nullable ThreadState currentOrNewOfPlatform() {
    ThreadState s = LOCAL.get();
    return s != null || isVirtual(Thread.currentThread()) ? s : create();
  }

  private static boolean isVirtual(Thread thread) {
    return HAS_VIRTUAL && thread.getClass().getName().startsWith("java.lang.VirtualThread");
  }

  private static ThreadState create() {
    Thread thread = Thread.currentThread();
    ThreadState s = new ThreadState(isVirtual(thread));
    LOCAL.set(s);
    if (thread instanceof ThreadFields fields) {
      fields.deimos$state(s);
    }
    return s;
  }

  public Lane lane() {
    Lane l = lane;
    if (l == null) {
      l = Lanes.borrow(virtual);
      l.user = this;
      lane = l;
    }
    return l;
  }

  /** Whether something works here whose context is not the thread's own. */
  public boolean hasContext() {
    return at.hasContext();
  }

  /** Whether a message is processed here, or a callback runs. */
  public boolean isBusy() {
    return at.isBusy();
  }

  /** Whether the context here is hidden from what runs here now. */
  public boolean isHidden() {
    return at.scope.isHidden();
  }

  /** How many frames are entered. */
  public int depth() {
    return at.depth();
  }

  /** The state of the thread that uses a lane, to be read from outside; null for none. */
  public static @Nullable ThreadState using(Lane lane) {
    return lane.user instanceof ThreadState s ? s : null;
  }

  /** Whether a span is the one of the work at hand. By any thread, as far as it can be seen. */
  public boolean isAt(long spanId) {
    for (Frame f = at; f != null; f = f.outer) {
      if (f.isBusy() && f.spanId == spanId) {
        return true;
      }
    }
    return false;
  }

  /** The cell of the message at work; null for none. By any thread, as far as it can be seen. */
  public @Nullable MessageCell cell() {
    return cell(at);
  }

  public @Nullable MessageCell cell(Frame frame) {
    Lane l = lane;
    return l == null ? null : l.cells.seen(frame.record.cellIndex);
  }

  /**
   * True for one call in {@code stride} on average, at distances drawn evenly from 1 to twice that,
   * so that no regular pattern of messages is always missed.
   */
  public boolean isDue(int stride) {
    if (--unstamped > 0) {
      return false;
    }
    strides ^= strides << 13;
    strides ^= strides >>> 17;
    strides ^= strides << 5;
    unstamped = 1 + (int) (((strides & 0xFFFF_FFFFL) * (2 * stride - 1)) >>> 32);
    return true;
  }

  /** A mailbox run is over. */
  public void runEnded() {
    lastEnd = 0;
    leaveLane();
  }

  /**
   * A virtual thread with nothing at work leaves its lane to the next: it may wait now, with many
   * others, or end.
   */
  public void leaveLane() {
    Lane l = lane;
    if (virtual && l != null && !isBusy()) {
      lane = null;
      Lanes.giveBack(l);
    }
  }

  /**
   * The frame for what is about to be worked on. It is not entered yet: the caller fills it first.
   *
   * <p>References in frames are stored only where they change: frames are old objects, and a
   * collector's write barrier on them costs more than the comparison.
   */
  public Frame free() {
    Frame here = at;
    return here.state == 0 ? here : freeInside(here);
  }

  private static Frame freeInside(Frame here) {
    Frame free = here.hasContext() ? here.inner() : here;
    if (free.state != 0) {
      free.clear(); // it was filled, and something went wrong before it was entered
    }
    return free;
  }

  /** Takes up what {@link #free} gave. */
  public void enter(Frame free) {
    free.state |= Frame.BUSY;
    if (at != free) {
      at = free;
    }
  }

  /**
   * Enters a context that is not a message's: a callback's, an ask's.
   *
   * @return to be given to {@link #leave}
   */
  public Frame enter(@Nullable Trace in, long span) {
    Frame around = at;
    Frame free = free();
    boolean inside = free != around && around.isBusy();
    OpenRecord record = free.record;
    record.work = OpenRecord.NOTHING;
    record.actor = inside ? around.record.actor : null;
    record.cellIndex = inside ? around.record.cellIndex : 0;
    if (inside && around.isWrapped()) {
      free.wraps();
    }
    free.trace = in;
    free.spanId = span;
    enter(free);
    return free;
  }

  /** Ends the work of a frame, and what was left open inside of it. */
  public void leave(Frame frame) {
    if (frame.state == Frame.BUSY && frame.outer == null && at == frame) {
      frame.record.work = OpenRecord.NOTHING;
      frame.state = 0;
    } else if (frame.isBusy()) {
      unwindTo(frame);
    }
  }

  private void unwindTo(Frame frame) {
    for (Frame open = at; open != frame && open.outer != null; open = open.outer) {
      close(open);
    }
    ActorTelemetry actor = frame.record.actor;
    Throwable error = frame.record.error;
    close(frame);
    Frame outer = frame.outer;
    at = outer == null ? frame : outer;
    if (error != null
        && outer != null
        && outer.isBusy()
        && outer.record.error == null
        && outer.record.actor == actor) {
      outer.failed(error); // the same actor's message, in a context of its own for a while
    }
  }

  /** A scope that the user left open ends with the frame. */
  private static void close(Frame frame) {
    boolean scoped = frame.scope.attached() != null;
    frame.clear();
    if (scoped) {
      Bridges.current().leaked(frame.outer == null ? null : frame.outer.scope.visible());
    }
  }

  /**
   * Runs what the user has to say about a message that is not entered yet, outside of all contexts.
   *
   * @param pending the message's frame, which is not to be used for anything meanwhile
   */
  public boolean ask(Frame pending, BooleanSupplier user) {
    Frame before = at;
    enter(pending);
    Frame asked = enter(null, 0);
    try {
      return user.getAsBoolean();
    } finally {
      leave(asked);
      pending.state &= ~Frame.BUSY;
      at = before;
    }
  }

  /** The context that OpenTelemetry's API was told to make current, innermost; null for none. */
  public @Nullable Object attached() {
    return at.scope.attached();
  }

  /** The context a send carries now, into {@link #capturedTrace} and {@link #capturedSpan}. */
  public void captureCurrent() {
    Frame here = at;
    Object context = here.scope.attached();
    if (context != null) {
      if (context != capturedFrom) {
        Bridges.current().capture(context, this);
        capturedFrom = context;
      }
    } else if (here.isBusy()) {
      capturedFrom = null;
      Trace trace = here.trace();
      capturedTrace = trace == null || !trace.isMarked() ? trace : trace.unstashed();
      capturedSpan = here.spanId;
    } else {
      capturedFrom = null;
      capturedTrace = null;
      capturedSpan = 0;
    }
  }

  /** As {@link #captureCurrent}, for the very message that is handed on here, with its marks. */
  public void captureForMessage() {
    captureCurrent();
    if (attached() == null && isBusy()) {
      capturedTrace = at.trace();
    }
  }

  /** Lets go of what was captured. */
  public void forgetCaptured() {
    capturedFrom = null;
    capturedTrace = null;
  }

  /** True if what is sent from here has no trace to go on with. */
  public boolean isWithoutContext() {
    Frame here = at;
    return here.scope.attached() == null
        && (!here.isBusy() || (here.trace == null && !here.isRecording() && !here.record.gathers));
  }

  /**
   * A trace that came from another node, without more context than its identity; the same object
   * for all its messages while it is remembered.
   */
  public Trace received(long hi, long lo, boolean sampled) {
    Trace last = lastReceived;
    if (!sampled) {
      last = new Trace(hi, lo, false, null);
    } else if (last == null || last.hi() != hi || last.lo() != lo) {
      last = RECEIVED.of(hi, lo, InForce.receivedLimit());
      lastReceived = last;
    }
    return last;
  }

  /** The bridge's answer to {@link Bridge#capture}. */
  public void captured(@Nullable Trace found, long span) {
    capturedTrace = found;
    capturedSpan = span;
  }

  /** The actor whose message is at work here; null outside of all. */
  public @Nullable ActorTelemetry actor() {
    Frame here = at;
    return here.isBusy() ? here.record.actor : null;
  }

  /** The trace this thread works on; null outside of all. */
  public @Nullable Trace trace() {
    return at.trace();
  }

  /** The span this thread works in, 0 outside of all. */
  public long spanId() {
    return at.spanId;
  }

  /** True if {@link #spanId} is the span of the message being processed here. */
  public boolean isRecording() {
    return at.isRecording();
  }

  /** A random identifier, never 0. */
  public long nextId() {
    long id = lane().nextId();
    leaveLane();
    return id;
  }

  /**
   * The OpenTelemetry context of this thread: what was attached last, else that of the actor at
   * work, made on the first call; null for the root context.
   */
  public @Nullable Object context() {
    Frame here = at;
    Object top = here.scope.visible();
    if (top != null || here.scope.isHidden() || !here.isBusy() || here.record.gathers) {
      return top;
    }
    Object made = here.materialised;
    if (made == null) {
      if (here.trace() == null) {
        return null;
      }
      made = Bridges.current().materialise(this);
      here.materialise(made);
    }
    return made;
  }

  /**
   * Notes the context that was made current.
   *
   * @return what was current before, to be given to {@link #detach}
   */
  public @Nullable Object attach(@Nullable Object context) {
    return at.attach(context);
  }

  /** Makes current again what {@link #attach} returned. */
  public void detach(@Nullable Object before) {
    at.attach(before);
    if (before == null) {
      capturedFrom = null; // the user's context is not kept for longer than it is current
    }
  }
}
