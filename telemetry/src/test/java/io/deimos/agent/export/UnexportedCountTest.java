// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.ring.SpanView;
import org.junit.jupiter.api.Test;

class UnexportedCountTest {
  private final ExportCounts counts = new ExportCounts();

  private void give(UnexportedCount sink, int spans) {
    for (int i = 0; i < spans; i++) {
      sink.accept(new SpanView());
    }
    sink.flush();
  }

  @Test
  void flush_withAStore_countsEachSpanAsExportedOnce() {
    UnexportedCount sink = new UnexportedCount(counts, true);
    give(sink, 3);
    give(sink, 0);
    give(sink, 2);
    assertThat(counts.exported()).isEqualTo(5);
    assertThat(counts.dropped()).isZero();
  }

  @Test
  void flush_withoutAStore_countsEachSpanAsDropped() {
    give(new UnexportedCount(counts, false), 3);
    assertThat(counts.refused()).isEqualTo(3);
    assertThat(counts.dropped()).isEqualTo(3);
    assertThat(counts.exported()).isZero();
  }
}
