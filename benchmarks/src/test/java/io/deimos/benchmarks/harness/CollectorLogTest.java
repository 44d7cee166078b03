// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

class CollectorLogTest {
  private static final List<String> G1 =
      List.of(
          "[0.010s] Using G1",
          "[1.2s] GC(0) Pause Young (Normal) (G1 Evacuation Pause) 25M->10M(512M) 8.1ms",
          "[2.0s] GC(1) Concurrent Mark Cycle",
          "[2.1s] GC(1) Pause Remark 60M->55M(512M) 3.1ms",
          "[2.2s] GC(1) Concurrent Mark Cycle 120.0ms",
          "[9.9s] GC(2) Pause Full (Diagnostic Command) 140M->84M(512M) 90.2ms");

  @Test
  void collections_severalLinesOfOne_countOnce() {
    assertThat(CollectorLog.collections(G1)).isEqualTo(3);
  }

  @Test
  void lastHeapMegabytes_isWhatTheLastOneLeft() {
    assertThat(CollectorLog.lastHeapMegabytes(G1)).isEqualTo(84);
  }

  @Test
  void lastHeapMegabytes_zgc_isReadLikewise() {
    List<String> zgc =
        List.of("[1.0s] GC(3) Garbage Collection (Diagnostic Command) 142M(28%)->86M(17%)");
    assertThat(CollectorLog.lastHeapMegabytes(zgc)).isEqualTo(86);
  }

  @Test
  void lastHeapMegabytes_noCollection_isSaid() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CollectorLog.lastHeapMegabytes(List.of("[0.010s] Using G1")))
        .withMessageContaining("Using G1");
  }
}
