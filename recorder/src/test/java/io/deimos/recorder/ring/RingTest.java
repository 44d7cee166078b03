// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RingTest {
  private final Ring ring = new Ring(64);
  private final List<Long> drained = new ArrayList<>();

  private boolean write(long spanId) {
    return write(spanId, null);
  }

  private boolean write(long spanId, @Nullable Rare rare) {
    return ring.tryWrite(1, 2, spanId, 3, 4, 5, 6, 7, 0, 8, rare);
  }

  private int drain(int limit) {
    return ring.drain(new SpanView(), view -> drained.add(view.spanId()), limit);
  }

  @Test
  void thins_moreThanHalfFull_isSoUntilDrained() {
    for (int i = 0; i < 32; i++) {
      write(i + 1);
    }
    assertThat(ring.thins()).isFalse();
    write(33);
    assertThat(ring.thins()).isTrue();
    assertThat(ring.thinned()).isEqualTo(1);
    drain(1);
    assertThat(ring.thins()).isFalse();
    assertThat(ring.thinned()).isEqualTo(1);
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -64, 0, 1, 63, 65, 1 << 21, 1 << 30})
  void ring_badCapacity_isRefusedWithItsValue(int capacity) {
    assertThatThrownBy(() -> new Ring(capacity))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(Integer.toString(capacity));
  }

  @Test
  void drain_oneRecord_showsEachField() {
    long actors = (5L << 32) | 6;
    ring.tryWrite(11, 12, 13, 14, 15, 16, 17, 0, Ring.FLAG_ASK, actors, null);
    int moved =
        ring.drain(
            new SpanView(),
            view -> {
              assertThat(view.traceHi()).isEqualTo(11);
              assertThat(view.traceLo()).isEqualTo(12);
              assertThat(view.spanId()).isEqualTo(13);
              assertThat(view.parentId()).isEqualTo(14);
              assertThat(view.sent()).isEqualTo(15);
              assertThat(view.start()).isEqualTo(16);
              assertThat(view.end()).isEqualTo(33);
              assertThat(view.isAsk()).isTrue();
              assertThat(view.message()).isEqualTo(MessageClasses.OTHER);
              assertThat(view.rare()).isNull();
            },
            10);
    assertThat(moved).isEqualTo(1);
  }

  @Test
  void tryWrite_fullRing_dropsTheNewestAndCountsIt() {
    for (long i = 1; i <= 64; i++) {
      assertThat(write(i)).isTrue();
    }
    assertThat(write(65)).isFalse();
    assertThat(ring.dropped()).isEqualTo(1);
    assertThat(drain(1000)).isEqualTo(64);
    assertThat(drained).first().isEqualTo(1L);
    assertThat(drained).last().isEqualTo(64L);
  }

  @Test
  void tryWrite_afterDrain_hasRoomAgain() {
    for (long i = 1; i <= 64; i++) {
      write(i);
    }
    assertThat(drain(10)).isEqualTo(10);
    assertThat(write(65)).isTrue();
    assertThat(ring.backlog()).isEqualTo(55);
  }

  @Test
  void tryWrite_rare_comesOutWithItsRecordOnly() {
    Rare rare = new Rare(new IllegalStateException(), null, null, null);
    write(1);
    write(2, rare);
    write(3);
    List<@Nullable Rare> rares = new ArrayList<>();
    ring.drain(new SpanView(), view -> rares.add(view.rare()), 10);
    assertThat(rares).containsExactly(null, rare, null);
  }

  @Test
  void tryWrite_longestDuration_isCutNotWrapped() {
    ring.tryWrite(1, 2, 3, 0, 0, 100, Long.MAX_VALUE, 0, 0, 0, null);
    ring.drain(
        new SpanView(), view -> assertThat(view.end()).isEqualTo(100 + Ring.MAX_DURATION_NANOS), 1);
  }

  @Test
  void drain_whileWritten_losesAndInventsNothing() throws InterruptedException {
    int messages = 300_000;
    AtomicLong written = new AtomicLong();
    Thread writer =
        new Thread(
            () -> {
              for (long i = 1; i <= messages; i++) {
                while (!write(i)) {
                  Thread.onSpinWait();
                }
                written.incrementAndGet();
              }
            });
    writer.start();
    long[] expected = {1};
    SpanView view = new SpanView();
    while (expected[0] <= messages) {
      ring.drain(
          view,
          seen -> {
            if (seen.spanId() != expected[0]++) {
              throw new AssertionError("out of order or torn: " + seen.spanId());
            }
          },
          64);
    }
    writer.join();
    assertThat(written).hasValue(messages);
    assertThat(ring.backlog()).isZero();
  }
}
