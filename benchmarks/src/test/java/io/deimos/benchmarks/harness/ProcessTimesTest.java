// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import io.deimos.benchmarks.harness.ProcessTimes.ThreadTimes;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ProcessTimesTest {
  private static final String STAT =
      "4711 (a (b) c) S 1 4711 4711 0 -1 1077936384 120 0 0 0 250 31 7 9 20 0 1 0 99 0 0";

  private final ProcessTimes before =
      new ProcessTimes(
          1_000_000_000L,
          500,
          Map.of(1L, thread("actors", 100, 10), 2L, thread("compilers", 300, 5)));

  private final ProcessTimes after =
      new ProcessTimes(
          3_000_000_000L,
          620,
          Map.of(
              1L, thread("actors", 150, 30),
              3L, thread("actors", 20, 4),
              4L, thread("deimos-drainer", 10, 6)));

  @Test
  void ticks_areUserAndSystemTimeWithoutThoseOfChildren() {
    assertThat(ProcessTimes.ticks(STAT)).isEqualTo(281);
  }

  @Test
  void name_mayHaveBracketsAndSpaces() {
    assertThat(ProcessTimes.name(STAT)).isEqualTo("a (b) c");
  }

  @Test
  void field_isTheNumberWithoutItsUnit() {
    List<String> status = List.of("Name:\tjava", "VmRSS:\t  604120 kB");
    assertThat(ProcessTimes.field(status, "VmRSS")).isEqualTo(604_120);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ProcessTimes.field(status, "VmSwap"))
        .withMessageContaining("VmSwap");
  }

  @Test
  void cpuPercentSince_isOfOneCore() {
    assertThat(after.cpuPercentSince(before)).isEqualTo(60, within(1e-9));
  }

  @Test
  void wakeupsSince_countsNewThreadsWholeAndEndedOnesNot() {
    assertThat(after.wakeupsSince(before)).isEqualTo((20 + 4 + 6) / 2.0, within(1e-9));
  }

  @Test
  void groupsSince_sumsThreadsOfOneKind() {
    assertThat(after.groupsSince(before)).isEqualTo(Map.of("actors", 35.0, "deimos-drainer", 5.0));
  }

  @Test
  void group_knowsCompilersCollectorsAndOurs() {
    assertThat(
            List.of("C2 CompilerThre", "G1 Service", "GC Thread#1", "ZWorker#0", "deimos-drainer")
                .stream()
                .map(ProcessTimes::group))
        .containsExactly("compilers", "collector", "collector", "collector", "deimos-drainer");
    assertThat(ProcessTimes.group("shop-pekko.acto")).isEqualTo("actors");
    assertThat(ProcessTimes.group("main")).isEqualTo("others");
  }

  private static ThreadTimes thread(String group, long ticks, long sleeps) {
    return new ThreadTimes(group, ticks, sleeps);
  }
}
