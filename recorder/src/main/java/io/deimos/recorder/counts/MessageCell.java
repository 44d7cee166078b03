// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorPolicy;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.Marks;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessagePatterns;
import io.deimos.recorder.actors.Rules;
import io.deimos.recorder.actors.Sampling;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import java.util.function.BiPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The metrics of one message class at one kind of actor, as counted by one thread. It is a weak
 * reference to the class, which is the application's; what was counted stays when the class is
 * gone, for the next class of that name.
 *
 * <p><b>Threads.</b> {@link #add} belongs to the owning thread; any thread may {@link #addTo fold}.
 *
 * <p><b>Record.</b> Longs:
 *
 * <pre>
 *   +0  messages processed
 *   +1  messages whose processing failed
 *   +2  nanoseconds of processing, summed
 *   +3  nanoseconds in the mailbox, summed
 *   +4  buckets of processing, as many as {@link DurationBuckets} has
 *   +…  buckets of waiting, as many
 * </pre>
 *
 * A message that was timed stands in sums and buckets for itself and for those before it that were
 * not. So each histogram counts as many messages as were processed, but for the last few.
 *
 * <p><b>Order.</b> Opaque stores and loads: each long is whole and becomes visible in time; a fold
 * may see one message's longs in part, which the next fold mends. Counts never go back. The rules
 * here are written by the thread that changes them and read plainly: between two messages a mailbox
 * reads its status, which is volatile, so a change is seen soon.
 *
 * <p><b>Full.</b> Longs do not fill up; they are made when the first message is counted, and {@link
 * SeriesBudget} bounds how many cells have longs of their own.
 */
public final class MessageCell extends WeakReference<Class<?>> {
  static final int PROCESSED = 0;
  static final int FAILED = 1;
  static final int PROCESSING_SUM = 2;
  static final int WAIT_SUM = 3;
  static final int PROCESSING = 4;
  static final int WAIT = PROCESSING + DurationBuckets.count();
  static final int LONGS = WAIT + DurationBuckets.count();

  /** Where a cell counts that has counted nothing; never written. */
  static final long[] NOTHING = {};

  /** Behind what is told: how many were processed when one was last timed, and last stamped. */
  private static final int TIMED = LONGS;

  private static final int STAMPED = LONGS + 1;

  /** How long an array of counts is. */
  static final int SIZE = STAMPED + 1;

  /** From here on all messages are timed, since the clock is then a small part of them. */
  private static final long SLOW_NANOS = 1_000;

  /** Recorded as a matter of course. */
  public static final int PLAIN = 0;

  /** Not recorded; the context passes through. */
  public static final int PASS = 1;

  /** Recorded in part, or under conditions. */
  public static final int RULED = 2;

  private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);
  private static final VarHandle COUNTS;

  static {
    try {
      COUNTS = MethodHandles.lookup().findVarHandle(MessageCell.class, "counts", long[].class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** {@link System#identityHashCode} of the class. */
  final int hash;

  public final ActorKind kind;
  public final MessageClass message;

  /** Its place in {@link CellTable#at}; 0 outside of it. */
  public final int index;

  public final boolean transparent;
  public final boolean wrapper;

  /** {@link #PLAIN}, {@link #PASS} or {@link #RULED}: the one field that the usual way looks at. */
  public int how;

  public boolean traced;
  public boolean counted;
  public boolean starts;

  /** Whether what a message without a trace sends begins one trace, although it has no span. */
  public boolean gathers;

  /** True once messages may have been counted. */
  volatile boolean hasCounted;

  /** How traces that begin here are sampled; null for as anywhere. */
  public @Nullable Sampling sampling;

  /** The filter to ask of each message; null for nobody. */
  public @Nullable BiPredicate<Object, Boolean> filter;

  /** How the content of messages is recorded; null if it is not. */
  public @Nullable ContentRule content;

  /** Null until the budget has looked at a cell that may count; written under its lock. */
  volatile @Nullable Pair pair;

  /** Shared with other cells of the same thread while the pair is folded; see SeriesBudget. */
  private long[] counts;

  private boolean slow;

  /** Has counted nothing. */
  public MessageCell(Class<?> type, ActorKind kind, MessageClass message, int index) {
    this(type, kind, message, index, NOTHING);
  }

  private MessageCell(
      Class<?> type, ActorKind kind, MessageClass message, int index, long[] counts) {
    super(type);
    this.hash = System.identityHashCode(type);
    this.kind = kind;
    this.message = message;
    this.index = index;
    this.counts = counts;
    this.transparent = message.isTransparent();
    this.wrapper = message.isWrapper();
  }

  /** The cell of another class of the same name, which goes on counting where this one ended. */
  MessageCell of(Class<?> type) {
    MessageCell next = new MessageCell(type, kind, message, index, counts);
    next.hasCounted = hasCounted;
    next.pair = pair;
    return next;
  }

  /**
   * Goes after the cell that this one was made {@link #of}, should it have been moved meanwhile.
   */
  void follow(MessageCell before, long[] copied) {
    if (before.counts != copied) {
      COUNTS.compareAndSet(this, copied, before.counts);
    }
    if (before.pair != null) {
      pair = before.pair;
    }
  }

  /** The array in which it counts now. */
  long[] countsNow() {
    return counts;
  }

  /** Whether the class is gone, with all of the application that it was of. */
  boolean isOrphan() {
    return refersTo(null);
  }

  /** Whether this is one of the self-test's messages, of which nobody is told. */
  public boolean isSelfTests() {
    return kind.isHidden() || message.isHidden();
  }

  /**
   * Works out what is recorded. A mark in the code goes before configuration, and never before
   * always; of Pekko's own actors nothing is recorded that was not asked for.
   */
  void rule(Rules current) {
    boolean selfTest = isSelfTests();
    Rules rules = selfTest ? Rules.NONE : current;
    ActorPolicy actor = selfTest ? kind.main().policy() : kind.policy();
    // The message in a wrapper is ruled when it is known.
    int byName = wrapper ? 0 : rules.message(message.name());
    byName |= rules.actorClass(kind.className());
    MessagePatterns own = actor.filter();
    if (own != null && !wrapper) {
      byName |= own.message(message.name());
    }
    int marks = message.flags() | kind.marks();
    boolean pekkos = kind.isPekkos() && !actor.traced();
    boolean always = !pekkos && ((marks | byName) & Marks.ALWAYS_TRACED) != 0;
    boolean never = (marks & Marks.NEVER_TRACED) != 0;
    if ((marks & Marks.ALWAYS_TRACED) == 0) {
      never |= (byName & Marks.NEVER_TRACED) != 0;
    }
    traced = !transparent && !never && rules.tracing() && (always || (actor.traced() && !pekkos));
    counted =
        !transparent && rules.metrics() && actor.counted() && (marks & Marks.NEVER_MEASURED) == 0;
    if (counted && !hasCounted) {
      hasCounted = true;
    }
    starts = always || wrapper || (actor.starts() && rules.starts());
    Sampling byMessage = rules.sampling(message.name());
    // The self-test takes nothing from what a user's limit leaves.
    boolean every = always || selfTest;
    sampling = every ? Sampling.EVERY : byMessage != null ? byMessage : actor.sampling();
    filter = always || wrapper ? null : rules.filter();
    content = wrapper || !traced ? null : rules.content(message.name());
    boolean plain = traced && counted && starts && !wrapper && filter == null && content == null;
    gathers = never && !traced && !pekkos && starts && rules.tracing() && actor.traced();
    how = plain ? PLAIN : traced || counted || gathers ? RULED : PASS;
  }

  /** A message that was not timed. */
  public void add() {
    plus(counts(), PROCESSED, 1);
  }

  private long[] counts() {
    long[] c = counts;
    return c != NOTHING ? c : begin();
  }

  private long[] begin() {
    long[] made = new long[SIZE];
    return (long[]) COUNTS.compareAndExchange(this, NOTHING, made) == NOTHING ? made : counts;
  }

  /**
   * A message that was timed.
   *
   * @param waitNanos -1 if unknown
   */
  public void add(long processingNanos, long waitNanos) {
    long[] c = counts();
    long processed = c[PROCESSED] + 1;
    LONG.setOpaque(c, PROCESSED, processed);
    long standsFor = processed - c[TIMED];
    c[TIMED] = processed;
    plus(c, PROCESSING_SUM, processingNanos * standsFor);
    plus(c, PROCESSING + DurationBuckets.of(processingNanos), standsFor);
    slow = processingNanos >= SLOW_NANOS;
    if (waitNanos >= 0) {
      long waitsFor = processed - c[STAMPED];
      c[STAMPED] = processed;
      plus(c, WAIT_SUM, waitNanos * waitsFor);
      plus(c, WAIT + DurationBuckets.of(waitNanos), waitsFor);
    }
  }

  /** Whether the message that was timed last took so long that the next is timed in any case. */
  public boolean isSlow() {
    return slow;
  }

  public void failed() {
    plus(counts(), FAILED, 1);
  }

  void addTo(long[] sums) {
    long[] c = counts;
    if (c != NOTHING) {
      add(c, sums);
    }
  }

  /** Messages counted, whoever's they are. */
  long processed() {
    long[] c = counts;
    return c == NOTHING ? 0 : processed(c);
  }

  /**
   * Has the owner count elsewhere from now on; one message under way may still go to what is
   * returned, where it was counted before. Called by the collecting thread.
   *
   * @param elsewhere {@link #NOTHING} to begin anew
   */
  long[] countIn(long[] elsewhere) {
    return (long[]) COUNTS.getAndSet(this, elsewhere);
  }

  /** Adds counts to sums; {@link #NOTHING} adds nothing. */
  public static void add(long[] counts, long[] sums) {
    if (counts == NOTHING) {
      return;
    }
    for (int i = 0; i < LONGS; i++) {
      sums[i] += (long) LONG.getOpaque(counts, i);
    }
  }

  static long processed(long[] counts) {
    return (long) LONG.getOpaque(counts, PROCESSED);
  }

  private static void plus(long[] c, int i, long by) {
    LONG.setOpaque(c, i, c[i] + by);
  }
}
