// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ThreadAllocationTest {
  private static final String EARLIER =
      """
      "main" #1 prio=5 os_prio=0 cpu=71.18ms elapsed=0.23s allocated=1200K defined_classes=400 tid=0x1 nid=0x2
         java.lang.Thread.State: RUNNABLE
      "shop #9 allocated=5M" #31 prio=5 cpu=1.00ms elapsed=0.10s allocated=14M defined_classes=0 tid=0x3
      "C2 CompilerThread0" os_prio=0 cpu=9.00ms elapsed=0.10s tid=0x4 nid=0x5 runnable
      """;
  private static final String LATER =
      """
      "shop #9 allocated=5M" #31 prio=5 cpu=1.00ms elapsed=9.10s allocated=20M defined_classes=0 tid=0x3
      "new" #40 daemon prio=5 cpu=1.00ms elapsed=0.10s allocated=512B defined_classes=0 tid=0x6
      """;

  @Test
  void parse_unitsAreBinary() {
    assertThat(ThreadAllocation.parse(EARLIER).bytes())
        .containsOnly(
            org.assertj.core.api.Assertions.entry(1L, 1200L << 10),
            org.assertj.core.api.Assertions.entry(31L, 14L << 20));
  }

  @Test
  void since_countsNewThreadsWholeAndEndedOnesNot() {
    long since = ThreadAllocation.parse(LATER).since(ThreadAllocation.parse(EARLIER));
    assertThat(since).isEqualTo((6L << 20) + 512);
  }

  @Test
  void parse_noThread_isSaid() {
    assertThatIllegalArgumentException().isThrownBy(() -> ThreadAllocation.parse("not a dump"));
  }
}
