// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import org.jspecify.annotations.Nullable;

/**
 * What one thread works on: the context its sends carry, the record it has open, its lane. Touched
 * by its own thread only.
 *
 * <p>A message may be processed inside another (an actor selection, a calling-thread dispatcher, a
 * future's callback run on the spot): the outer one then waits in a {@link Frame}.
 */
public final class ThreadState {
  private static final ThreadLocal<@Nullable ThreadState> LOCAL = new ThreadLocal<>();
  private static final ReceivedTraces RECEIVED = new ReceivedTraces();
  private static final boolean HAS_VIRTUAL = Runtime.version().feature() >= 21;

  /** {@link #work}: the message passes the context on, or is in a trace that is not sampled. */
  static final int NOTHING = 0;

  /** {@link #work}: the message is counted. */
  static final int COUNT = 1;

  /** {@link #work}: and it is timed. */
  static final int TIME = 2;

  /** {@link #work}: a span is recorded; {@link #hi} to {@link #start} are then its record. */
  static final int RECORD = 3;

  /** {@link #odd}: one of {@link #error} to {@link #stashed}, or {@link #materialised}, is set. */
  private static final int RARE = 1;

  /** {@link #odd}: {@link #attached} or {@link #attachedBefore} is set. */
  private static final int ATTACHED = 2;

  private final boolean virtual;
  @Nullable Lane lane;

  /** What a send carries; null within a trace that began here until it is needed. */
  @Nullable Trace trace;

  long spanId;

  /** What {@link Hooks#end} has to do for the message at work; {@link #NOTHING} outside of all. */
  int work;

  long hi;
  long lo;
  long parentId;
  long sent;
  long start;
  long sender;
  @Nullable ActorTelemetry actor;

  /** Where the message at work is counted: a number in the lane's table, 0 for nowhere. */
  int cellIndex;

  @Nullable Throwable error;
  @Nullable Object senderRef;

  /** What the trace that begins with this message was begun after. */
  @Nullable Link link;

  /** When the message was stashed, or 0. */
  long stashed;

  /** How long the message waited in buffers on its way, in nanoseconds. */
  long buffered;

  /** {@link Trace#stated} of the message's trace. */
  @Nullable Object stated;

  /** What went wrong while the message at work was processed, and what it says. */
  @Nullable Rare incidents;

  /** {@link #RARE} and {@link #ATTACHED}; 0 on the usual way, which then needs no other look. */
  int odd;

  /** The end of the message before in the same mailbox run, or 0. */
  long lastEnd;

  /** Above 0 while an actor's message or a registered callback runs: the fields above then hold. */
  int depth;

  /** How many messages are still sent from here without a time, if only some are timed. */
  private int unstamped;

  private int strides = 1;

  /** True while a one-shot schedule is being made, whose task shall carry this thread's context. */
  boolean scheduling;

  /** While above 0 a periodic schedule is being made, whose ticks shall not. */
  int periodic;

  /** True while an actor asks its journal for a write. */
  boolean writing;

  /** The depth at which a typed stash is being emptied; 0 if none is. */
  int unstashBase;

  /** How often each rare hook fired here, by its number in {@link Fired}: for the self-test. */
  final int[] fired = new int[Fired.COUNT];

  /** While above 0 nobody sees the context of the actor at work. */
  int hidden;

  /** The question for which a shard looks for its entity; null if it does not, or has found it. */
  @Nullable Ask delivering;

  /** The context that OpenTelemetry's API was told to make current, innermost; null for none. */
  @Nullable Object attached;

  private @Nullable Object attachedBefore;
  @Nullable Object materialised;
  @Nullable Class<?> noSenderClass;
  private @Nullable Frame frames;
  private @Nullable Object capturedFrom;
  @Nullable Trace capturedTrace;
  long capturedSpan;
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
  static @Nullable ThreadState currentOrNewOfPlatform() {
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

  Lane lane() {
    Lane l = lane;
    if (l == null) {
      l = Lanes.borrow();
      l.user = this;
      lane = l;
    }
    return l;
  }

  /** Whether something works here whose context is not the thread's own. */
  boolean hasContext() {
    return depth != 0 || attached != null;
  }

  /** The cell of the message at work; null for none. */
  @Nullable MessageCell cell() {
    Lane l = lane;
    return cellIndex == 0 || l == null ? null : l.cells.at(cellIndex);
  }

  /**
   * True for one call in {@code stride} on average, at distances drawn evenly from 1 to twice that,
   * so that no regular pattern of messages is always missed.
   */
  boolean isDue(int stride) {
    if (--unstamped > 0) {
      return false;
    }
    strides ^= strides << 13;
    strides ^= strides >>> 17;
    strides ^= strides << 5;
    unstamped = 1 + (int) (((strides & 0xFFFF_FFFFL) * (2 * stride - 1)) >>> 32);
    return true;
  }

  /** A mailbox run is over; a virtual thread is about to end and leaves its lane to the next. */
  void runEnded() {
    lastEnd = 0;
    Lane l = lane;
    if (virtual && depth == 0 && l != null) {
      lane = null;
      Lanes.giveBack(l);
    }
  }

  /**
   * Puts what this thread works on aside and starts with an empty context. The fields of the
   * message stay as they were: the caller sets those that it needs.
   *
   * <p>References are stored only where they change: this object is old, and a collector's write
   * barrier on it costs more than the comparison.
   */
  void enter() {
    if ((depth++ | odd) != 0) {
      putAside();
    }
  }

  private void putAside() {
    if (depth != 1) {
      frames = new Frame(this, frames);
    }
    attachedBefore = attached;
    attached = null;
    odd = attachedBefore == null ? 0 : ATTACHED;
    forgetRare();
  }

  /** Enters a context that is not a message's: a callback's, a question's. */
  void enter(@Nullable Trace in, long span) {
    enter();
    if (depth == 1) {
      actor = null;
      cellIndex = 0;
    }
    trace = in;
    spanId = span;
    work = NOTHING;
  }

  /** What is at work here, and has no span of its own, goes on in another context. */
  void goOnIn(@Nullable Trace in, long span) {
    trace = in;
    spanId = span;
    materialised = null;
  }

  /** Takes up again what {@link #enter} put aside. */
  void exit() {
    work = NOTHING;
    if ((--depth | odd) != 0) {
      takeUp();
    }
  }

  private void takeUp() {
    if (attached != null) {
      Recorder.bridge().leaked(attachedBefore);
    }
    attached = attachedBefore;
    attachedBefore = null;
    odd = (odd & RARE) | (attached == null ? 0 : ATTACHED);
    if (depth != 0) {
      restoreOuter();
    } else {
      odd &= ATTACHED;
      forgetRare();
    }
  }

  private void restoreOuter() {
    Frame outer = frames;
    if (outer == null) {
      return;
    }
    ActorTelemetry innerActor = actor;
    Throwable innerError = error;
    outer.restore(this);
    frames = outer.next;
    if (error == null && innerError != null && actor == innerActor) {
      failed(innerError); // the same actor's message, in a context of its own for a while
    }
  }

  private void forgetRare() {
    error = null;
    senderRef = null;
    materialised = null;
    link = null;
    stashed = 0;
    buffered = 0;
    stated = null;
    incidents = null;
  }

  /** Notes what the message at work failed with. */
  void failed(Throwable with) {
    error = with;
    odd |= RARE;
  }

  /** Notes that a trace begins after another. */
  void linkedTo(@Nullable Link to) {
    link = to;
    odd |= RARE;
  }

  /** Notes since when the message was in a stash. */
  void stashedSince(long then) {
    stashed = then;
    odd |= RARE;
  }

  /** Notes how long the message waited in buffers on its way. */
  void bufferedFor(long nanos) {
    buffered = nanos;
    odd |= RARE;
  }

  /** Notes the context of a trace that came with a state. */
  void statedBy(Object context) {
    stated = context;
    odd |= RARE;
  }

  /** Notes an incident, to be told with the span of the message at work. */
  void noted(Incident incident) {
    incidents = Rare.with(incidents, incident);
    odd |= RARE;
  }

  /** Notes what the message at work says. */
  void says(Content content) {
    incidents = Rare.with(incidents, content);
    odd |= RARE;
  }

  /** Notes a sender without a cell. */
  void sentBy(Object ref) {
    senderRef = ref;
    odd |= RARE;
  }

  /** The context a send carries now, into {@link #capturedTrace} and {@link #capturedSpan}. */
  void captureCurrent() {
    Object context = attached;
    if (context != null) {
      if (context != capturedFrom) {
        Recorder.bridge().capture(context, this);
        capturedFrom = context;
      }
    } else if (depth != 0) {
      capturedFrom = null;
      Trace here = trace();
      capturedTrace = here == null || !here.isMarked() ? here : here.unstashed();
      capturedSpan = spanId;
    } else {
      capturedFrom = null;
      capturedTrace = null;
      capturedSpan = 0;
    }
  }

  /** As {@link #captureCurrent}, for the very message that is handed on here, with its marks. */
  void captureForMessage() {
    captureCurrent();
    if (attached == null && depth != 0) {
      capturedTrace = trace();
    }
  }

  /** Lets go of what was captured. */
  void forgetCaptured() {
    capturedFrom = null;
    capturedTrace = null;
  }

  /** True if what is sent from here has no trace to go on with. */
  boolean isWithoutContext() {
    return attached == null && (depth == 0 || (trace == null && work != RECORD));
  }

  /**
   * A trace that came from another node, without more context than its identity; the same object
   * for all its messages while it is remembered.
   */
  Trace received(long hi, long lo, boolean sampled) {
    Trace last = lastReceived;
    if (last == null || last.hi() != hi || last.lo() != lo || last.isSampled() != sampled) {
      last = sampled ? RECEIVED.of(hi, lo) : new Trace(hi, lo, false, null);
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
  @Nullable ActorTelemetry actor() {
    return depth != 0 ? actor : null;
  }

  /** The trace this thread works on; null outside of all. */
  public @Nullable Trace trace() {
    Trace t = trace;
    if (t == null && work == RECORD) {
      t = new Trace(hi, lo, true, null, start);
      trace = t;
    }
    return t;
  }

  /** The span this thread works in, 0 outside of all. */
  public long spanId() {
    return spanId;
  }

  /** True if {@link #spanId} is the span of the message being processed here. */
  public boolean isRecording() {
    return work == RECORD;
  }

  /** A random identifier, never 0. */
  public long nextId() {
    return lane().nextId();
  }

  /**
   * The OpenTelemetry context of this thread: what was attached last, else that of the actor at
   * work, made on the first call; null for the root context.
   */
  public @Nullable Object context() {
    if (hidden != 0) {
      return null;
    }
    Object top = attached;
    if (top != null || depth == 0) {
      return top;
    }
    Object made = materialised;
    if (made == null) {
      if (trace() == null) {
        return null;
      }
      made = Recorder.bridge().materialise(this);
      materialised = made;
      odd |= RARE;
    }
    return made;
  }

  /**
   * Notes the context that was made current.
   *
   * @return what was current before, to be given to {@link #detach}
   */
  public @Nullable Object attach(@Nullable Object context) {
    Object before = attached;
    attached = context;
    oddIfAttached();
    return before;
  }

  /** Makes current again what {@link #attach} returned. */
  public void detach(@Nullable Object before) {
    attached = before;
    oddIfAttached();
  }

  private void oddIfAttached() {
    odd = (odd & RARE) | (attached == null && attachedBefore == null ? 0 : ATTACHED);
  }

  /** What an outer message needs to go on. */
  private static final class Frame {
    final @Nullable Frame next;
    private final @Nullable Trace trace;
    private final long spanId;
    private final int work;
    private final long hi;
    private final long lo;
    private final long parentId;
    private final long sent;
    private final long start;
    private final long sender;
    private final @Nullable ActorTelemetry actor;
    private final int cellIndex;
    private final @Nullable Throwable error;
    private final @Nullable Object senderRef;
    private final @Nullable Link link;
    private final long stashed;
    private final long buffered;
    private final @Nullable Object stated;
    private final @Nullable Object attachedBefore;
    private final @Nullable Object materialised;
    private final int odd;
    private final @Nullable Rare incidents;

    Frame(ThreadState s, @Nullable Frame next) {
      this.next = next;
      trace = s.trace();
      spanId = s.spanId;
      work = s.work;
      hi = s.hi;
      lo = s.lo;
      parentId = s.parentId;
      sent = s.sent;
      start = s.start;
      sender = s.sender;
      actor = s.actor;
      cellIndex = s.cellIndex;
      error = s.error;
      senderRef = s.senderRef;
      link = s.link;
      stashed = s.stashed;
      buffered = s.buffered;
      stated = s.stated;
      attachedBefore = s.attachedBefore;
      materialised = s.materialised;
      odd = s.odd;
      incidents = s.incidents;
    }

    void restore(ThreadState s) {
      s.trace = trace;
      s.spanId = spanId;
      s.work = work;
      s.hi = hi;
      s.lo = lo;
      s.parentId = parentId;
      s.sent = sent;
      s.start = start;
      s.sender = sender;
      s.actor = actor;
      s.cellIndex = cellIndex;
      s.error = error;
      s.senderRef = senderRef;
      s.link = link;
      s.stashed = stashed;
      s.buffered = buffered;
      s.stated = stated;
      s.attachedBefore = attachedBefore;
      s.materialised = materialised;
      s.odd = odd;
      s.incidents = incidents;
    }
  }
}
