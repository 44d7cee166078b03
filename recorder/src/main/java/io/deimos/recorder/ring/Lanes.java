// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.counts.CountedCells;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.counts.RecordCells;
import io.deimos.recorder.counts.SeriesBudget;
import java.lang.ref.WeakReference;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.BooleanSupplier;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * All lanes of this process. Safe for any thread; asked when a thread records for the first time.
 */
public final class Lanes {
  /** How many lanes are known; what a thread beyond them counts, and has no span for, is lost. */
  static final int MOST = 1 << 16;

  /** The metrics in the records of all rings. */
  static final RecordCells RECORDED = new RecordCells();

  static final RingBudget BUDGET = RingBudget.of(RecorderConfig.current());

  private static final Queue<Lane> ALL = new ConcurrentLinkedQueue<>();
  private static final AtomicInteger COUNT = new AtomicInteger();
  private static final Queue<Lane> FREE = new ConcurrentLinkedQueue<>();

  /** Lanes with a ring, for single records of virtual threads. */
  private static final Queue<Lane> LENT = new ConcurrentLinkedQueue<>();

  private static final LongAdder NO_RING = new LongAdder();
  private static final LongAdder BEYOND = new LongAdder();
  private static final SecureRandom SEEDS = new SecureRandom();

  private Lanes() {}

  public static Lane borrow(boolean virtual) {
    Lane lane = FREE.poll();
    if (lane == null) {
      lane = make();
    }
    lane.virtual = virtual;
    lane.owner = new WeakReference<>(Thread.currentThread());
    return lane;
  }

  private static Lane make() {
    Lane lane = new Lane(RecorderConfig.current(), SEEDS.nextLong());
    if (COUNT.get() < MOST) {
      if (COUNT.getAndIncrement() == 0) {
        HousekeepingCall.wake();
      }
      ALL.add(lane);
    } else {
      BEYOND.increment();
    }
    return lane;
  }

  /** The owner has no use for its lane any more. */
  public static void giveBack(Lane lane) {
    WeakReference<Thread> owner = lane.owner;
    if (owner != null) {
      giveBack(lane, owner);
    }
  }

  /** The queue orders the giver's last writes before the next owner's first. */
  private static void giveBack(Lane lane, WeakReference<Thread> seen) {
    if (lane.leave(seen)) {
      lane.user = null;
      FREE.add(lane);
    }
  }

  /** Takes back the lanes of threads that have ended. */
  public static void sweep() {
    for (Lane lane : ALL) {
      WeakReference<Thread> orphan = lane.orphan();
      if (orphan != null && lane.leave(orphan)) {
        lane.user = null;
        lane.shed();
        FREE.add(lane);
      }
    }
  }

  /** A lane with a ring for one record; to be given to {@link #takeBack}. */
  static Lane lend() {
    Lane lane = LENT.poll();
    return lane != null ? lane : make();
  }

  static void takeBack(Lane lane) {
    LENT.add(lane);
  }

  /** Counts a record for which no ring could be had, unless it is the self-test's; false. */
  static boolean noRing(int messageId, long actors) {
    if (!SpanView.isHidden((int) actors, messageId)) {
      NO_RING.increment();
    }
    return false;
  }

  public static Collection<Lane> all() {
    return ALL;
  }

  /** How far each lane has been written that has not been drained as far. */
  static List<Mark> marks() {
    List<Mark> marks = new ArrayList<>();
    for (Lane lane : ALL) {
      long end = lane.end();
      if (lane.read() - end < 0) {
        marks.add(new Mark(lane, end));
      }
    }
    return marks;
  }

  /** Whether what is in the rings now has been drained; to be asked later. */
  public static BooleanSupplier untilDrained() {
    List<Mark> marks = marks();
    return () -> marks.stream().allMatch(Mark::isDrained);
  }

  /** The bytes of all rings, and of what is kept for their next burst. */
  public static long ringBytes() {
    return BUDGET.heldBytes();
  }

  /** Lets memory go that a burst of long ago has left. Called by one thread, now and then. */
  public static void trim() {
    BUDGET.trim();
  }

  /** The rules have changed: every cell asks again. */
  public static void rule() {
    for (Lane lane : ALL) {
      lane.cells.rule();
    }
    RECORDED.rule();
  }

  public static MetricsFold fold() {
    count();
    // A thread that counts records may make a cell, and then wants the budget's lock as well.
    synchronized (RECORDED) {
      return SeriesBudget.current().fold(tables());
    }
  }

  /** Has the budget look at cells that are new. */
  public static void adopt() {
    SeriesBudget.current().adopt(ALL.stream().<CountedCells>map(lane -> lane.cells).toList());
  }

  private static List<CountedCells> tables() {
    return Stream.concat(
            ALL.stream().<CountedCells>map(lane -> lane.cells), Stream.<CountedCells>of(RECORDED))
        .toList();
  }

  /** Counts the records that no one has counted yet, whether or not they can be drained. */
  public static void count() {
    for (Lane lane : ALL) {
      lane.count();
    }
  }

  public static long recorded() {
    return sum(Lane::written);
  }

  public static long drained() {
    return sum(Lane::drained);
  }

  /** Records dropped because a ring was full. */
  public static long dropped() {
    return sum(Lane::dropped);
  }

  /** Records dropped because there was no memory left for a ring. */
  public static long withoutRing() {
    return NO_RING.sum();
  }

  /** How often a thread had to work on a lane that nobody reads. */
  public static long beyond() {
    return BEYOND.sum();
  }

  public static long thinned() {
    return sum(Lane::thinned);
  }

  public static long backlog() {
    return sum(Lane::backlog);
  }

  private static long sum(ToLongFunction<Lane> of) {
    long sum = 0;
    for (Lane lane : ALL) {
      sum += of.applyAsLong(lane);
    }
    return sum;
  }

  /** A place in what a lane records. */
  record Mark(Lane lane, long end) {
    boolean isDrained() {
      return lane.read() - end >= 0;
    }
  }
}
