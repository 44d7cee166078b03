// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.CellTable;
import io.deimos.recorder.counts.RecordCells;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.TraceIds;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * Where one thread records: its ring, its cells, its identifiers. Outlives its thread: a lane whose
 * thread has ended, or a virtual thread's lane after a mailbox run, is handed to the next that
 * needs one, so counts are never lost and there are never more lanes than threads at work at once.
 *
 * <p><b>Threads.</b> {@link #cells}, {@link #nextId} and {@link #write} belong to the owner, {@link
 * #drain} to the drainer, {@link #shed} to whoever has just taken the lane from its owner. Sums may
 * be asked for by any thread. A thread that takes the lane from an owner does so by {@link #leave},
 * which lets one of several pass.
 *
 * <p><b>Record.</b> See {@link Ring}. There is no ring before the first record. A virtual thread's
 * lane never has one: there may be as many of them as messages in processing, so each record is
 * written through a lane that is lent for it.
 *
 * <p><b>Order.</b> A ring is published by the release store of {@link #ring}. Sums and the dropping
 * of an empty ring hold this object's lock, which no owner needs.
 *
 * <p><b>Full.</b> See {@link RingBudget}. A record that does not fit is dropped and counted.
 */
public final class Lane {
  private static final VarHandle RING;
  private static final VarHandle OWNER;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      RING = lookup.findVarHandle(Lane.class, "ring", Ring.class);
      OWNER = lookup.findVarHandle(Lane.class, "owner", WeakReference.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  /** Null before the first record. */
  private @Nullable Ring ring;

  public final CellTable cells = new CellTable();
  public volatile @Nullable WeakReference<Thread> owner;

  /** True while a virtual thread owns it. */
  boolean virtual;

  /** The state of the thread that uses it, for whoever looks from outside. */
  public volatile @Nullable Object user;

  /** The start of the message that the {@code StuckWatch} saw here last, and when to tell again. */
  public long watched;

  public long toldAfter;
  private final long high;
  private final @Nullable RecordCells recorded;
  private final RingBudget budget;
  private long seed;

  /** The totals of rings that are gone: the position behind their last record, and their counts. */
  private long end;

  private long hidden;
  private long dropped;
  private long thinned;

  Lane(RecorderConfig config, long seed) {
    this(config, seed, Lanes.BUDGET);
  }

  Lane(RecorderConfig config, long seed, RingBudget budget) {
    this.recorded = config.metrics() ? Lanes.RECORDED : null;
    this.budget = budget;
    this.seed = seed;
    this.high = seed ^ 0x5851F42D4C957F2DL;
  }

  /**
   * A random number that is not 0: SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom
   * Number Generators, 2014), whose output is a bijection of its counter, so one lane does not
   * repeat itself.
   */
  public long nextId() {
    long z = seed += 0x9E3779B97F4A7C15L;
    z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
    z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
    z ^= z >>> 31;
    return z == 0 ? nextId() : z;
  }

  /** The first half of a trace id for its second. */
  public long traceHigh(long low) {
    return TraceIds.high(low, high, Clock.second());
  }

  /** Writes one record; false, and counted unless it is the self-test's, if there is no room. */
  public boolean write(
      long hi,
      long lo,
      long spanId,
      long parentId,
      long sent,
      long start,
      long durationNanos,
      int messageId,
      int flags,
      long actors,
      @Nullable Rare rare) {
    Ring r = ring;
    return (r != null
            && r.offer(
                hi,
                lo,
                spanId,
                parentId,
                sent,
                start,
                durationNanos,
                messageId,
                flags,
                actors,
                rare))
        || writeElsewhere(
            r,
            hi,
            lo,
            spanId,
            parentId,
            sent,
            start,
            durationNanos,
            messageId,
            flags,
            actors,
            rare);
  }

  private boolean writeElsewhere(
      @Nullable Ring full,
      long hi,
      long lo,
      long spanId,
      long parentId,
      long sent,
      long start,
      long durationNanos,
      int messageId,
      int flags,
      long actors,
      @Nullable Rare rare) {
    if (full != null) {
      return full.drop(messageId, actors);
    }
    if (virtual) {
      Lane lent = Lanes.lend();
      boolean written =
          lent.write(
              hi, lo, spanId, parentId, sent, start, durationNanos, messageId, flags, actors, rare);
      Lanes.takeBack(lent);
      return written;
    }
    Ring first = budget.first(recorded, end);
    if (first == null) {
      return Lanes.noRing(messageId, actors);
    }
    RING.setRelease(this, first);
    return first.tryWrite(
        hi, lo, spanId, parentId, sent, start, durationNanos, messageId, flags, actors, rare);
  }

  /** Whether a trace had better not begin now; see {@link Ring#thins}. The owner's alone. */
  public boolean thins() {
    Ring r = ring;
    return r != null && r.thins();
  }

  private @Nullable Ring now() {
    return (@Nullable Ring) RING.getAcquire(this);
  }

  /** Hands at most {@code limit} records to the sink, oldest first; returns how many. */
  public int drain(SpanView view, SpanSink sink, int limit) {
    Ring r = now();
    return r == null ? 0 : r.drain(view, sink, limit);
  }

  /** Counts the records that nobody has counted yet; see {@link Ring#count}. */
  public void count() {
    Ring r = now();
    if (r != null) {
      r.count();
    }
  }

  /** Gives the memory of a ring back that nothing waits in. The lane must have no owner. */
  synchronized void shed() {
    Ring r = ring;
    if (r != null && r.backlog() == 0) {
      end = r.end();
      hidden += r.hidden();
      dropped += r.dropped();
      thinned += r.thinned();
      r.letGo();
      RING.setRelease(this, null);
    }
  }

  /**
   * Ends an owner's time, if it is still the one that was seen: a lane may have gone to another
   * since.
   *
   * @return true for one of all who try
   */
  boolean leave(WeakReference<Thread> seen) {
    return OWNER.compareAndSet(this, seen, null);
  }

  /** The reference to an owner that has ended; null if there is no such. */
  @Nullable WeakReference<Thread> orphan() {
    WeakReference<Thread> reference = owner;
    if (reference == null) {
      return null;
    }
    Thread thread = reference.get();
    return thread == null || !thread.isAlive() ? reference : null;
  }

  /** The position behind the last record. */
  long end() {
    Ring r = now();
    return r == null ? end : r.end();
  }

  /** The position up to which records have been drained. */
  synchronized long read() {
    Ring r = now();
    return r == null ? end : r.read();
  }

  synchronized long written() {
    Ring r = now();
    return (r == null ? end : r.end()) - hiddenInAll();
  }

  synchronized long drained() {
    return read() - hiddenInAll();
  }

  private long hiddenInAll() {
    Ring r = now();
    return hidden + (r == null ? 0 : r.hidden());
  }

  public synchronized long backlog() {
    return end() - read();
  }

  synchronized long dropped() {
    Ring r = now();
    return dropped + (r == null ? 0 : r.dropped());
  }

  synchronized long thinned() {
    Ring r = now();
    return thinned + (r == null ? 0 : r.thinned());
  }
}
