// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BacklogTest {
  private final Ring ring = new Ring(64);
  private final SpanView view = new SpanView();
  private final List<Long> seen = new ArrayList<>();
  private final SpanSink sink = span -> seen.add(span.spanId());

  /** Puts records with these span ids through a ring into the backlog. */
  private void fill(Backlog backlog, int from, int to) {
    for (int i = from; i < to; i++) {
      Rare rare = i % 3 == 0 ? new Rare(null, i, null, null) : null;
      ring.tryWrite(1, 2, i, 0, 0, 5, 6, 0, 0, 0, rare);
      ring.drain(view, backlog, 1);
    }
  }

  @Test
  void drain_moreThanOneChunk_keepsOrderAndRares() {
    Backlog backlog = new Backlog(100_000);
    fill(backlog, 1, 10_001);
    assertThat(backlog.size()).isEqualTo(10_000);
    backlog.drain(
        view,
        span -> {
          seen.add(span.spanId());
          Rare rare = span.rare();
          assertThat(rare == null ? null : rare.userSpan())
              .isEqualTo(span.spanId() % 3 == 0 ? (int) span.spanId() : null);
        },
        Integer.MAX_VALUE);
    assertThat(seen).hasSize(10_000).isSorted();
    assertThat(backlog.size()).isZero();
  }

  @Test
  void drain_inPieces_goesOnWhereItStopped() {
    Backlog backlog = new Backlog(100_000);
    fill(backlog, 1, 5_001);
    assertThat(backlog.drain(view, sink, 4_500)).isEqualTo(4_500);
    fill(backlog, 5_001, 6_001);
    assertThat(backlog.drain(view, sink, 10_000)).isEqualTo(1_500);
    assertThat(seen).hasSize(6_000).isSorted();
  }

  @Test
  void drain_noRoom_movesNothing() {
    Backlog backlog = new Backlog(100);
    fill(backlog, 1, 11);
    assertThat(backlog.drain(view, sink, 0)).isZero();
    assertThat(backlog.size()).isEqualTo(10);
    assertThat(backlog.room()).isEqualTo(90);
  }
}
