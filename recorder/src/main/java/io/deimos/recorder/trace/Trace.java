// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trace;

import io.deimos.recorder.clock.Clock;
import org.jspecify.annotations.Nullable;

/**
 * One trace as the messages in it share it: the identity, the sampling decision, the OpenTelemetry
 * context it came with, and what {@link TraceGuard} needs to end it. Immutable but for the count of
 * spans; carried by reference in envelopes. As a rule there is one per trace and process; a message
 * far down in its trace, or one that was stashed, carries a copy that says so.
 */
public final class Trace {
  /** Half of all readings of the clock: further away from now than any deadline. */
  private static final long FAR = 1L << 62;

  /**
   * Every trace that began here and is not sampled: nobody sees its identity, so it needs none
   * until a context is asked for.
   */
  public static final Trace UNSAMPLED = new Trace(-1, -1, false, null);

  private final long hi;
  private final long lo;
  private final boolean sampled;
  private final @Nullable Object baseContext;

  /**
   * The context that goes to other nodes beside the identity, once asked for; any thread finds the
   * same.
   */
  public volatile byte @Nullable [][] headers;

  /**
   * The OpenTelemetry context that hands this on, once asked for; null before. Contexts are
   * immutable, so a thread that sees none makes another.
   */
  public @Nullable Object context;

  /**
   * A message sent after this reading of the clock needs a closer look. Moves only to the past, and
   * may be seen to do so late.
   */
  public long deadline;

  /** The reading of the clock from which on the trace is too old to go on. */
  final long ends;

  /** Whether the spans of this trace are to be told with the state it came with. */
  private final boolean stated;

  /** How many messages lie between the first and those that carry this, about. */
  final int depth;

  /** For a trace that has not begun: what its first span is linked to. */
  public final @Nullable Link link;

  /** When the message that carries this was stashed, or 0. */
  public final long stashed;

  /**
   * How long the message that carries this has waited in buffers of Pekko's own actors, in
   * nanoseconds.
   */
  public final long waited;

  /** The messages that timers sent within this trace on the way to here; null for nothing. */
  public final @Nullable TimerPath timers;

  /** Whether what carries this was sent by a timer, armed once. */
  public final boolean fired;

  /** The state that all copies share: the count of spans is here. */
  private final Trace original;

  private volatile int spans;

  /**
   * @param hi the first eight bytes of the trace id
   * @param lo the last eight; {@code hi} and {@code lo} both 0 mean that no trace has begun yet and
   *     only {@code baseContext} (baggage, say) is handed on
   * @param baseContext the context below the spans of this trace, or null for the root context
   */
  public Trace(long hi, long lo, boolean sampled, @Nullable Object baseContext) {
    this(
        hi,
        lo,
        sampled,
        baseContext,
        sampled ? TraceIds.since(hi, lo, Clock.now(), Clock.second()) : 0);
  }

  /**
   * @param since the reading of {@link Clock#now} at which the trace began, as far as known
   */
  public Trace(long hi, long lo, boolean sampled, @Nullable Object baseContext, long since) {
    this.hi = hi;
    this.lo = lo;
    this.sampled = sampled;
    this.baseContext = baseContext;
    this.ends = sampled ? TraceGuard.deadline(since) : since + FAR;
    this.stated = false;
    this.deadline = ends;
    this.depth = 0;
    this.link = null;
    this.stashed = 0;
    this.waited = 0;
    this.timers = null;
    this.fired = false;
    this.original = this;
  }

  private Trace(
      Trace of,
      int depth,
      long stashed,
      long waited,
      @Nullable Object baseContext,
      boolean stated) {
    this(of, depth, stashed, waited, baseContext, stated, of.timers, false);
  }

  private Trace(
      Trace of,
      int depth,
      long stashed,
      long waited,
      @Nullable Object baseContext,
      boolean stated,
      @Nullable TimerPath timers,
      boolean fired) {
    this.hi = of.hi;
    this.lo = of.lo;
    this.sampled = of.sampled;
    this.baseContext = baseContext;
    this.ends = of.ends;
    this.stated = stated;
    this.deadline =
        (stashed | waited) == 0 && !stated && !fired ? of.original.deadline : Clock.now() - FAR;
    this.depth = depth;
    this.link = null;
    this.stashed = stashed;
    this.waited = waited;
    this.timers = timers;
    this.fired = fired;
    this.original = of.original;
  }

  /** A trace that has not begun, and hands on a context and a path to the one that will. */
  public Trace(@Nullable Object baseContext, TimerPath timers) {
    this.hi = 0;
    this.lo = 0;
    this.sampled = false;
    this.baseContext = baseContext;
    this.ends = Clock.now() + FAR;
    this.stated = false;
    this.deadline = ends;
    this.depth = 0;
    this.link = null;
    this.stashed = 0;
    this.waited = 0;
    this.timers = timers;
    this.fired = false;
    this.original = this;
  }

  /** A trace that has not begun, and is to be linked when it does. */
  public Trace(Link to) {
    this.hi = 0;
    this.lo = 0;
    this.sampled = true; // so that the send is timed
    this.baseContext = null;
    long now = Clock.now();
    this.ends = now + FAR;
    this.stated = false;
    this.deadline = now - FAR;
    this.depth = 0;
    this.link = to;
    this.stashed = 0;
    this.waited = 0;
    this.timers = null;
    this.fired = false;
    this.original = this;
  }

  public long hi() {
    return hi;
  }

  public long lo() {
    return lo;
  }

  public boolean isSampled() {
    return sampled;
  }

  /** False while only a context is handed on and the next recorded message starts the trace. */
  public boolean hasBegun() {
    return (hi | lo) != 0;
  }

  public @Nullable Object baseContext() {
    return baseContext;
  }

  /** The context with the W3C tracestate that the trace came with; null if it came with none. */
  public @Nullable Object stated() {
    return stated ? baseContext : null;
  }

  /** True for a trace that has not begun and hands on no more than what to be linked to. */
  public boolean isLink() {
    return link != null;
  }

  /**
   * Whether this says no more than the trace, so that whoever is handed it on may carry it as it
   * is.
   *
   * @param withState as of {@link #within}
   */
  public boolean isPlain(boolean withState) {
    return !isMarked() && !fired && stated == (withState && sampled);
  }

  /**
   * The same trace with another context below its spans.
   *
   * @param withState whether the context has a W3C tracestate, to be told with the trace's spans
   */
  public Trace within(Object context, boolean withState) {
    return new Trace(this, depth, 0, 0, context, withState && sampled);
  }

  /** The trace as a message carries it that is {@code by} further down. */
  public Trace deeper(int by) {
    return new Trace(this, depth + by, 0, 0, baseContext, stated);
  }

  /** The trace as a message carries it that was stashed. */
  public Trace stashedAt(long now) {
    return new Trace(this, depth, now, waited, baseContext, stated);
  }

  /** The trace as a message carries it that has waited so long, in all, before it was sent on. */
  public Trace waitedFor(long nanos) {
    return new Trace(this, depth, 0, nanos, baseContext, stated);
  }

  /** The trace as a message carries it that a timer sends. */
  public Trace fired() {
    return new Trace(this, depth, stashed, waited, baseContext, stated, timers, true);
  }

  /** The trace behind a message that a timer sent. */
  public Trace behind(TimerPath path) {
    return new Trace(this, depth, 0, 0, baseContext, stated, path, false);
  }

  /** The trace that begins where this, which has not begun, is handed on. */
  public Trace begun(long newHi, long newLo, boolean newSampled) {
    Trace begun = new Trace(newHi, newLo, newSampled, baseContext);
    return timers == null ? begun : begun.behind(timers);
  }

  /** Whether one message carries this, of which it says more than what trace it is in. */
  public boolean isMarked() {
    return (stashed | waited) != 0;
  }

  /** The trace without the marks of {@link #stashedAt} and {@link #waitedFor}. */
  public Trace unstashed() {
    return new Trace(this, depth, 0, 0, baseContext, stated);
  }

  /** From now on every message in this trace is looked at more closely. */
  public void isDue() {
    deadline = Clock.now() - FAR;
    original.deadline = deadline;
  }

  int spans() {
    return original.spans;
  }

  /** Counts spans; two threads at once may count fewer. */
  @SuppressWarnings("NonAtomicVolatileUpdate") // the count is an estimate anyway
  public int addSpans(int by) {
    return original.spans += by;
  }
}
