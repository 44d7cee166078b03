// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import org.jspecify.annotations.Nullable;

/**
 * One piece of work on a thread: a message that is processed, or a callback that runs in the
 * context in which it was registered. It holds all that the work needs: the context that sends
 * carry, the record that is open, the user's scope.
 *
 * <p>Work inside other work (a calling-thread dispatcher, a task that its executor rejected, a
 * callback run on the spot) has a frame of its own, so the outer frame needs no saving: it is
 * {@linkplain ThreadState#at current} again when the inner one is left. Frames are made once per
 * depth and reused.
 *
 * <p><b>Threads.</b> Its own thread's, but for what the {@code StuckWatch} reads of it.
 */
public final class Frame {
  /** {@link #state}: something is at work here. */
  public static final int BUSY = 1;

  /** {@link #state}: what few messages have is set, in {@link #record} or here. */
  private static final int RARE = 2;

  /** {@link #state}: {@link #scope} is not empty. */
  private static final int SCOPED = 4;

  /** {@link #state}: the message is known by Pekko's wrapper alone so far. */
  private static final int WRAPPED = 8;

  private static final int CONTEXT = BUSY | SCOPED;

  public final ThreadState thread;
  public final @Nullable Frame outer;
  private @Nullable Frame inner;
  private final int level;

  public final OpenRecord record = new OpenRecord();
  public final UserScope scope = new UserScope();

  /** 0 if nothing is here: then nothing of the last work here counts. */
  public int state;

  /** The context that a send carries; null within a trace that began here until it is needed. */
  public @Nullable Trace trace;

  public long spanId;

  /** The OpenTelemetry context of {@link #trace} and {@link #spanId}, once asked for. */
  @Nullable Object materialised;

  /** True while a one-shot schedule is being made, whose task shall carry this context. */
  public boolean scheduling;

  /** While above 0 a periodic schedule is being made, whose ticks shall not. */
  public int periodic;

  /** The ask for which a shard looks for its entity; null if it does not, or has found it. */
  public @Nullable Ask delivering;

  Frame(ThreadState thread, @Nullable Frame outer) {
    this.thread = thread;
    this.outer = outer;
    this.level = outer == null ? 0 : outer.level + 1;
  }

  /** The frame for work inside of this. */
  public Frame inner() {
    Frame known = inner;
    if (known == null) {
      known = new Frame(thread, this);
      inner = known;
    }
    return known;
  }

  /** The thread's state, of which this is a part. */
  public ThreadState thread() {
    return thread;
  }

  /** How many pieces of work there are on the thread if this is the innermost. */
  public int depth() {
    return level + (isBusy() ? 1 : 0);
  }

  public boolean isBusy() {
    return (state & BUSY) != 0;
  }

  /** Whether something works here whose context is not the thread's own. */
  public boolean hasContext() {
    return (state & CONTEXT) != 0;
  }

  public boolean isScoped() {
    return (state & SCOPED) != 0;
  }

  /** Whether the message that is at work here has a span of its own. */
  public boolean isRecording() {
    return record.work == OpenRecord.RECORD && isBusy();
  }

  /** Whether it will become known what is in the message that is at work here. */
  public boolean isWrapped() {
    return (state & WRAPPED) != 0;
  }

  /** Notes that of the message only the wrapper is known. */
  public void wraps() {
    state |= WRAPPED;
  }

  /** Notes that the message is known. */
  public void unwraps() {
    state &= ~WRAPPED;
  }

  /** The innermost frame, from here outwards, whose message is timed; null for none. */
  public @Nullable Frame timed() {
    for (Frame f = this; f != null; f = f.outer) {
      if (f.isBusy() && f.record.work >= OpenRecord.TIME) {
        return f;
      }
    }
    return null;
  }

  /** Nothing of what was here counts any more. */
  public void clear() {
    state = 0;
    record.work = OpenRecord.NOTHING;
    record.clearRare();
    scope.clear();
    materialised = null;
    scheduling = false;
    periodic = 0;
    delivering = null;
  }

  /** The trace at work here, made now if it began here and was not needed before. */
  public @Nullable Trace trace() {
    Trace t = trace;
    if (t == null && record.work == OpenRecord.RECORD) {
      t = new Trace(record.hi, record.lo, true, null, record.start);
      trace = t;
    } else if (t == null && record.gathers) {
      t = TraceSampling.gathered(thread, this);
      trace = t;
    }
    return t;
  }

  /** The message has no span; what it sends shall be in one trace all the same. */
  public void gather() {
    record.gathers = true;
    state |= RARE;
  }

  /** The work here, which has no span of its own, goes on in another context. */
  public void goOnIn(@Nullable Trace in, long span) {
    trace = in;
    spanId = span;
    materialised = null;
  }

  public void materialise(Object context) {
    materialised = context;
    state |= RARE;
  }

  /** Makes a context current; returns what was before. */
  @Nullable Object attach(@Nullable Object context) {
    Object before = scope.attach(context);
    scoped();
    return before;
  }

  public void hide() {
    scope.hide();
    scoped();
  }

  public void unhide() {
    scope.unhide();
    scoped();
  }

  private void scoped() {
    state = scope.isEmpty() ? state & ~SCOPED : state | SCOPED;
  }

  /** Whether more incidents of this message would only be counted. */
  public boolean hasManyIncidents() {
    Rare noted = record.noted;
    return noted != null && noted.incidents().size() >= Incident.MOST;
  }

  /** Notes what the message at work failed with. */
  public void failed(Throwable with) {
    record.error = with;
    state |= RARE;
  }

  /** Notes that a trace begins after another. */
  public void linkedTo(@Nullable Link to) {
    record.link = to;
    state |= RARE;
  }

  /** Notes since when the message was in a stash. */
  public void stashedSince(long then) {
    record.stashed = then;
    state |= RARE;
  }

  /** Notes how long the message waited in buffers on its way. */
  public void bufferedFor(long nanos) {
    record.buffered = nanos;
    state |= RARE;
  }

  /** Notes that a timer sent the message, of which only the wrapper is known. */
  public void sentByTimer() {
    record.byTimer = true;
    state |= RARE;
  }

  /** Notes the context of a trace that came with a state. */
  public void statedBy(Object context) {
    record.stated = context;
    state |= RARE;
  }

  /** Notes an incident, to be told with the span of the message at work. */
  public void noted(Incident incident) {
    record.noted = Rare.with(record.noted, incident);
    state |= RARE;
  }

  /** Notes what the message at work says. */
  public void says(Content content) {
    record.noted = Rare.with(record.noted, content);
    state |= RARE;
  }

  /** Notes a sender without a cell. */
  public void sentBy(Object ref) {
    record.senderRef = ref;
    state |= RARE;
  }

  /** The rare parts beside the record of the message at work; null if there are none. */
  public @Nullable Rare rare() {
    if ((state & RARE) == 0) {
      return null;
    }
    Object made = materialised;
    return record.rare(made == null ? null : Bridges.current().userSpan(made));
  }
}
