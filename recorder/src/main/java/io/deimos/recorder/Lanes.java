// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.lang.ref.WeakReference;
import java.security.SecureRandom;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.ToLongFunction;
import java.util.stream.Stream;

/**
 * All lanes of this process. Safe for any thread; asked when a thread records for the first time.
 */
final class Lanes {
  /** What the records in all rings say of metrics. */
  static final RecordCells RECORDED = new RecordCells();

  /** For threads whose ring is full; they may hold as much as the backlog behind all rings. */
  static final SecondRings SECOND = new SecondRings(Recorder.config().backlogCapacity());

  private static final List<Lane> ALL = new CopyOnWriteArrayList<>();
  private static final Queue<Lane> FREE = new ConcurrentLinkedQueue<>();
  private static final SecureRandom SEEDS = new SecureRandom();

  private Lanes() {}

  static Lane borrow() {
    Lane lane = FREE.poll();
    if (lane == null) {
      lane = new Lane(Recorder.config(), SEEDS.nextLong());
      ALL.add(lane);
    }
    lane.owner = new WeakReference<>(Thread.currentThread());
    return lane;
  }

  /** The queue orders the giver's last writes before the next owner's first. */
  static void giveBack(Lane lane) {
    lane.owner = null;
    lane.user = null;
    FREE.add(lane);
  }

  /** Takes back the lanes of threads that have ended. Called by the drainer only. */
  static void sweep() {
    for (Lane lane : ALL) {
      if (lane.isOrphaned()) {
        giveBack(lane);
      }
    }
  }

  static List<Lane> all() {
    return ALL;
  }

  /** The rules have changed: every cell asks again. */
  static void rule() {
    for (Lane lane : ALL) {
      lane.cells.rule();
    }
    RECORDED.rule();
  }

  static MetricsFold fold() {
    count();
    // Whoever counts records may make a cell, and then wants the budget's lock as well.
    synchronized (RECORDED) {
      return Recorder.messages()
          .fold(Stream.concat(ALL.stream().map(lane -> lane.cells), Stream.of(RECORDED)).toList());
    }
  }

  /** Counts the records that no one has counted yet, whether or not they can be drained. */
  static void count() {
    for (Lane lane : ALL) {
      Ring ring = lane.ring;
      if (ring != null) {
        ring.count();
      }
    }
  }

  static long recorded() {
    return sum(Ring::written);
  }

  static long drained() {
    return sum(Ring::drained);
  }

  static long dropped() {
    return sum(Ring::dropped);
  }

  static long thinned() {
    return sum(Ring::thinned);
  }

  static long backlog() {
    return sum(Ring::backlog);
  }

  private static long sum(ToLongFunction<Ring> of) {
    long sum = 0;
    for (Lane lane : ALL) {
      Ring ring = lane.ring;
      sum += ring == null ? 0 : of.applyAsLong(ring);
    }
    return sum;
  }
}
