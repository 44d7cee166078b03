// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class NativeMemoryTest {
  private static final String SUMMARY =
      """
      Total: reserved=2098170KB, committed=757022KB
             malloc: 60232KB #303871

      -                 Java Heap (reserved=524288KB, committed=524288KB)
                                  (mmap: reserved=524288KB, committed=524288KB)

      -    Native Memory Tracking (reserved=7500KB, committed=7680KB)
                                  (tracking overhead=7480KB)
      """;

  @Test
  void megabytes_eachPurpose_isWhatIsCommitted() {
    assertThat(NativeMemory.megabytes(SUMMARY))
        .containsEntry("Java Heap", 512.0)
        .containsEntry("Native Memory Tracking", 7.5)
        .hasSize(2);
  }

  @Test
  void megabytes_notKept_isRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NativeMemory.megabytes("Native memory tracking is not enabled"))
        .withMessageContaining("not enabled");
  }
}
