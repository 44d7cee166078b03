// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.trace.Link;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.RefFields;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * One ask from {@code ask} to its answer or time-out. Hangs on Pekko's temporary actor reference;
 * made by the asking thread, ended once by any.
 *
 * <p><b>Order.</b> The asking thread's knowledge at the send is published by the write of {@link
 * #target}. A reader of any of it reads that first, as {@link #request} does.
 */
public final class Ask {
  private static final VarHandle ENDED;

  static {
    try {
      ENDED = MethodHandles.lookup().findVarHandle(Ask.class, "ended", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final @Nullable Trace askedIn;
  private Trace trace;
  private final @Nullable Link link;
  private final long parentId;
  private long spanId;
  private final long startNanos;
  private final @Nullable ActorTelemetry asker;
  private final boolean traced;
  private final @Nullable ActorTelemetry guardian;
  private boolean wanted = true;
  private @Nullable MessageClass request;
  private @Nullable Object asked;
  private long timeoutNanos;

  /** Where it stands among the open ones; below 0 for nowhere. */
  private int place = -1;

  private volatile boolean ended;
  private volatile @Nullable Object target;
  private volatile @Nullable Object whereabouts;
  private volatile boolean undelivered;
  private volatile @Nullable String targetState;

  /**
   * An ask that is about to be sent.
   *
   * @param guardian the actor that is the parent of all of the user's in the asker's actor system;
   *     null if that is not known
   */
  public Ask(
      @Nullable Trace askedIn,
      Trace trace,
      @Nullable Link link,
      long parentId,
      long spanId,
      long startNanos,
      @Nullable ActorTelemetry asker,
      boolean traced,
      @Nullable ActorTelemetry guardian) {
    this.askedIn = askedIn;
    this.trace = trace;
    this.link = link;
    this.parentId = parentId;
    this.spanId = spanId;
    this.startNanos = startNanos;
    this.asker = asker;
    this.traced = traced;
    this.guardian = guardian;
  }

  /**
   * True for one of Pekko's own asks, of which no span is made. The asking actor does not decide:
   * routes and streams of the user's run in Pekko's actors.
   */
  public boolean isSilent() {
    MessageClass asked = request();
    return asked == null || asked.isPekko();
  }

  /** False if the rules want no span of it. */
  public boolean isTraced() {
    return traced && (target == null || wanted);
  }

  /** True until a trace has begun, if none was there and one is wanted. */
  public boolean mayBegin() {
    return traced && trace == Trace.UNSAMPLED && (askedIn == null || !askedIn.hasBegun());
  }

  /** A trace begins with the ask, before {@link #asked} publishes it. */
  public void begins(Trace begun, long span) {
    trace = begun;
    spanId = span;
  }

  /** The class of the actor that is asked; {@code unknown} if it is not in this process. */
  public String askedClass() {
    return asked() instanceof RefFields ref && ref.deimos$identity() instanceof ActorTelemetry known
        ? known.kind().className()
        : "unknown";
  }

  /**
   * It is about to be sent.
   *
   * @param timeout after how many nanoseconds the asker gives up
   */
  public void asked(MessageClass askedClass, Object askedTarget, long timeout) {
    wanted = isWanted(askedClass);
    request = askedClass;
    asked = askedTarget;
    timeoutNanos = timeout;
    target = askedTarget; // publishes the rest
  }

  /** Where it stands among the open ones, before {@link #asked} publishes it. */
  public void standsAt(int at) {
    place = at;
  }

  /** Where it stands among the open ones; below 0 for nowhere, or not yet. */
  public int place() {
    return target == null ? -1 : place;
  }

  /** Marks of a class of messages hold for asks with it. */
  private static boolean isWanted(MessageClass asked) {
    int marks = asked.flags();
    if ((marks & Marks.ALWAYS_TRACED) == 0 && !asked.isHidden()) {
      marks |= InForce.rules().message(asked.name());
    }
    return (marks & Marks.NEVER_TRACED) == 0;
  }

  /** The first receiver, whoever it went on to. */
  public @Nullable Object asked() {
    return target == null ? null : asked;
  }

  /**
   * The ask was handed on, as far as known.
   *
   * @param to Pekko's reference to whom; one of {@code Unanswered}'s words if to nobody; null if
   *     that is not known any more
   */
  public void handedOn(@Nullable Object to) {
    whereabouts = to;
  }

  /** The last argument of {@link #handedOn}. */
  public @Nullable Object whereabouts() {
    return whereabouts;
  }

  /** Time ran out: the one who was asked is the one to whom the ask was handed on. */
  public void settle() {
    Object to = whereabouts;
    if (to != null && !(to instanceof String) && target == asked) {
      target = to;
    }
  }

  /** The ask has become a dead letter. */
  public void undelivered() {
    undelivered = true;
  }

  public boolean isUndelivered() {
    return undelivered;
  }

  /** The finding when time ran out, before the record of it is published. */
  public void targetState(String found) {
    targetState = found;
  }

  /**
   * The state of the request and of the actor that was asked, one of {@code Unanswered}'s words;
   * null if there was an answer.
   */
  public @Nullable String targetState() {
    return targetState;
  }

  public boolean end() {
    return ENDED.compareAndSet(this, false, true);
  }

  public boolean hasEnded() {
    return ended;
  }

  /** The trace the asker was in, or null. */
  public @Nullable Trace askedIn() {
    return askedIn;
  }

  /** {@link #askedIn}, or a new one. */
  public Trace trace() {
    return trace;
  }

  /** The predecessor of the trace that begins with this ask. */
  public @Nullable Link link() {
    return link;
  }

  public long parentId() {
    return parentId;
  }

  public long spanId() {
    return spanId;
  }

  public long startNanos() {
    return startNanos;
  }

  /** The actor that asked; null if the ask came from outside of all actors. */
  public @Nullable ActorTelemetry asker() {
    return asker;
  }

  /** That of its actor system; null if it is not known. */
  public @Nullable ActorTelemetry guardian() {
    return guardian;
  }

  /** The class of the request; null if it was never sent. */
  public @Nullable MessageClass request() {
    return target == null ? null : request;
  }

  /** After how many nanoseconds the asker gives up; 0 if it was never sent. */
  public long timeoutNanos() {
    return target == null ? 0 : timeoutNanos;
  }

  /**
   * The receiver, as Pekko's reference or selection, or the one that it was handed on to if it ran
   * out of time; null if it was never sent.
   */
  public @Nullable Object target() {
    return target;
  }
}
