// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.base.RecorderConfig;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.LongStream;
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
  void write_fullRing_goesOnInALargerOneInOrder() {
    RingBudget budget = new RingBudget(1 << 20, 1024);
    Lane lane = lane(budget);
    for (long i = 1; i <= 256 + 1024; i++) {
      assertThat(write(lane, i)).as("record %d", i).isTrue();
    }
    assertThat(write(lane, 9999)).isFalse();
    assertThat(lane.dropped()).isEqualTo(1);
    assertThat(lane.written()).isEqualTo(1280);
    assertThat(lane.backlog()).isEqualTo(1280);
    assertThat(drain(lane, 100)).isEqualTo(100);
    assertThat(drain(lane, 10_000)).isEqualTo(1180);
    assertThat(drained).isEqualTo(LongStream.rangeClosed(1, 1280).boxed().toList());
    assertThat(lane.drained()).isEqualTo(1280);
    assertThat(lane.backlog()).isZero();
    assertThat(budget.usedBytes()).as("the small one is let go").isEqualTo(Ring.bytes(1024));
  }

  @Test
  void write_littleLeft_growsAsFarAsItGoes() {
    RingBudget budget = new RingBudget(Ring.bytes(256) * 2 + Ring.bytes(512), 4096);
    Lane first = lane(budget);
    Lane other = lane(budget);
    Lane none = lane(budget);
    long before = Lanes.withoutRing();
    for (long i = 1; i <= 1000; i++) {
      write(first, i);
      write(other, i);
    }
    assertThat(write(none, 1)).isFalse();
    assertThat(first.written()).as("its own and one of 512").isEqualTo(256 + 512);
    assertThat(other.written()).as("its own").isEqualTo(256);
    assertThat(first.dropped() + first.written()).isEqualTo(1000);
    assertThat(other.dropped() + other.written()).isEqualTo(1000);
    assertThat(Lanes.withoutRing() - before).isEqualTo(1);
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
