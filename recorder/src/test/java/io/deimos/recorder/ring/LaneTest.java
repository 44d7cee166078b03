// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.base.RecorderConfig;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.Objects;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class LaneTest {
  private static final RecorderConfig TRACING = new RecorderConfig(true, false, 64);

  private final List<Long> drained = new ArrayList<>();

  private static Lane lane(RingBudget budget) {
    return new Lane(TRACING, 1, budget);
  }

  private static boolean write(Lane lane, long i) {
    return lane.write(i, ~i, i, 3, 4, 5, 6, 7, 0, 0, null);
  }

  private int drain(Lane lane, int limit) {
    return lane.drain(new SpanView(), view -> drained.add(view.spanId()), limit);
  }

  @Test
  void lane_nothingWritten_takesNoRing() {
    RingBudget budget = new RingBudget(1 << 20, 1024);
    assertThat(drain(lane(budget), 10)).isZero();
    assertThat(budget.usedBytes()).isZero();
  }

  @Test
  void write_moreThanARingHolds_isInOrderAndTheRestDropped() {
    RingBudget budget = new RingBudget(1 << 20, 1024);
    Lane lane = lane(budget);
    for (long i = 1; i <= 1024; i++) {
      assertThat(write(lane, i)).as("record %d", i).isTrue();
    }
    assertThat(write(lane, 9999)).isFalse();
    assertThat(lane.dropped()).isEqualTo(1);
    assertThat(lane.written()).isEqualTo(1024);
    assertThat(lane.backlog()).isEqualTo(1024);
    assertThat(budget.usedBytes()).isEqualTo(Ring.bytes(1024));
    assertThat(drain(lane, 100)).isEqualTo(100);
    assertThat(write(lane, 1025)).as("room again").isTrue();
    assertThat(drain(lane, 10_000)).isEqualTo(925);
    assertThat(drained).isEqualTo(LongStream.rangeClosed(1, 1025).boxed().toList());
    assertThat(lane.drained()).isEqualTo(1025);
    assertThat(lane.backlog()).isZero();
    assertThat(budget.usedBytes()).as("what a burst took is given back").isEqualTo(Chunk.BYTES);
  }

  @Test
  void write_littleLeft_growsAsFarAsItGoes() {
    RingBudget budget = new RingBudget(Chunk.BYTES * 3, 4096);
    Lane first = lane(budget);
    Lane other = lane(budget);
    Lane none = lane(budget);
    long before = Lanes.withoutRing();
    for (long i = 1; i <= 1000; i++) {
      write(first, i);
    }
    for (long i = 1; i <= 1000; i++) {
      write(other, i);
    }
    assertThat(first.written()).as("half").isEqualTo(2 * Chunk.RECORDS);
    assertThat(other.written()).as("what the first one left").isEqualTo(Chunk.RECORDS);
    assertThat(write(none, 1)).isFalse();
    assertThat(first.dropped() + first.written()).isEqualTo(1000);
    assertThat(other.dropped() + other.written()).isEqualTo(1000);
    assertThat(Lanes.withoutRing() - before).isEqualTo(1);
  }

  @Test
  void write_nothingLeftAndNothingWaiting_goesOnInTheSameChunk() {
    Lane lane = lane(new RingBudget(Chunk.BYTES, 4096));
    for (long i = 1; i <= 10 * Chunk.RECORDS; i++) {
      assertThat(write(lane, i)).as("record %d", i).isTrue();
      if (i % Chunk.RECORDS == 0) {
        assertThat(drain(lane, 10_000)).isEqualTo(Chunk.RECORDS);
      }
    }
    assertThat(drained).isEqualTo(LongStream.rangeClosed(1, 10 * Chunk.RECORDS).boxed().toList());
  }

  /** As with a heap of 128 MiB. */
  @Test
  void write_burstOfEightThreads_leavesRoomForOthersAndIsGivenBack() {
    RingBudget budget = new RingBudget(8 << 20, 1 << 20);
    List<Lane> busy = Stream.generate(() -> lane(budget)).limit(8).toList();
    int perLane = 1 << 15;
    for (int i = 1; i <= perLane; i++) {
      long record = i;
      busy.forEach(lane -> write(lane, record));
    }
    assertThat(busy.stream().mapToLong(Lane::dropped).sum()).as("a burst").isPositive();
    LongSummaryStatistics shares = busy.stream().mapToLong(Lane::written).summaryStatistics();
    assertThat(shares.getMax() - shares.getMin()).isLessThanOrEqualTo(Chunk.RECORDS);
    List<Lane> others = Stream.generate(() -> lane(budget)).limit(160).toList();
    for (Lane other : others) {
      for (long i = 1; i <= 5; i++) {
        assertThat(write(other, i)).isTrue();
      }
    }
    busy.forEach(lane -> drain(lane, perLane));
    assertThat(budget.usedBytes()).isEqualTo((8 + 160) * Chunk.BYTES);
  }

  @Test
  void write_secondBurst_makesNoChunkAnew() {
    RingBudget budget = new RingBudget(16 << 20, 1 << 15);
    List<Lane> lanes = Stream.generate(() -> lane(budget)).limit(3).toList();
    burst(lanes, 1 << 15);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
    for (long i = 1; i <= 1 << 15; i++) {
      write(lanes.get(0), i);
    }
    long made = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(lanes.get(0).backlog()).isEqualTo(1 << 15);
    assertThat(made).isLessThan(Ring.bytes(1 << 15) / 4);
  }

  @Test
  void trim_chunksOfABurst_areKeptAndLetGoByHalves() {
    RingBudget budget = new RingBudget(1 << 20, 1024);
    Lane lane = lane(budget);
    List<Lane> one = List.of(lane);
    burst(one, 1024);
    assertThat(budget.heldBytes()).as("kept").isEqualTo(Ring.bytes(1024));
    budget.trim();
    burst(one, 1024);
    budget.trim();
    assertThat(budget.heldBytes()).as("needed since").isEqualTo(Ring.bytes(1024));
    budget.trim();
    assertThat(budget.heldBytes()).as("half of 15").isEqualTo(8 * Chunk.BYTES);
    for (int i = 0; i < 3; i++) {
      budget.trim();
    }
    assertThat(budget.heldBytes()).as("the one that the lane has").isEqualTo(Chunk.BYTES);
    assertThat(budget.usedBytes()).isEqualTo(Chunk.BYTES);
  }

  private void burst(List<Lane> lanes, int records) {
    for (Lane lane : lanes) {
      for (long i = 1; i <= records; i++) {
        write(lane, i);
      }
    }
    lanes.forEach(lane -> drain(lane, records));
  }

  /** As with a heap of 256 MiB. */
  @Test
  void write_fifteenHundredThreads_eachHasARing() {
    RingBudget budget = new RingBudget(16 << 20, 1 << 14);
    List<Lane> lanes = Stream.generate(() -> lane(budget)).limit(1500).toList();
    for (Lane lane : lanes) {
      for (long i = 1; i <= 5; i++) {
        assertThat(write(lane, i)).isTrue();
      }
    }
  }

  @Test
  void shed_emptyRing_isGivenBackAndCountsGoOn() {
    RingBudget budget = new RingBudget(1 << 20, 1024);
    Lane lane = lane(budget);
    for (long i = 1; i <= 300; i++) {
      write(lane, i);
    }
    lane.shed();
    assertThat(budget.usedBytes()).as("records wait in it").isPositive();
    drain(lane, 1000);
    lane.shed();
    assertThat(budget.usedBytes()).isZero();
    write(lane, 301);
    assertThat(lane.written()).isEqualTo(301);
    assertThat(lane.backlog()).isEqualTo(1);
    assertThat(drain(lane, 10)).isEqualTo(1);
    assertThat(lane.drained()).isEqualTo(301);
  }

  @Test
  void drain_whileItGrows_losesAndInventsNothing() throws InterruptedException {
    int messages = 300_000;
    Lane lane = lane(new RingBudget(1 << 20, 4096));
    Thread writer =
        new Thread(
            () -> {
              for (long i = 1; i <= messages; i++) {
                while (!write(lane, i)) {
                  Thread.onSpinWait();
                }
              }
            });
    writer.start();
    BitSet seen = new BitSet();
    SpanView view = new SpanView();
    for (int moved = 0; moved < messages; ) {
      moved +=
          lane.drain(
              view,
              span -> {
                if (span.traceHi() != span.spanId()
                    || span.traceLo() != ~span.spanId()
                    || seen.get((int) span.spanId())) {
                  throw new AssertionError("torn or twice: " + span.spanId());
                }
                seen.set((int) span.spanId());
              },
              64);
    }
    writer.join();
    assertThat(seen.cardinality()).isEqualTo(messages);
    assertThat(lane.backlog()).isZero();
  }

  @Test
  void leave_ownerSeenBeforeTheNextOne_failsForTheNext() {
    Lane lane = Lanes.borrow(false);
    WeakReference<Thread> first = Objects.requireNonNull(lane.owner);
    assertThat(lane.leave(first)).isTrue();
    lane.owner = new WeakReference<>(Thread.currentThread());
    assertThat(lane.leave(first)).as("its time is over").isFalse();
    assertThat(lane.owner).isNotNull();
  }
}
