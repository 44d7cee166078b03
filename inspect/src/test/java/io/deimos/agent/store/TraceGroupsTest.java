// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TraceGroupsTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long MILLI = 1_000_000;

  private final List<TraceGroups.One> traces = new ArrayList<>();

  private void add(String name, long startNanos, long nanos, boolean trouble) {
    traces.add(
        new TraceGroups.One(
            String.format("%032x", traces.size()), name, startNanos, nanos, trouble));
  }

  @Test
  void groups_haveCountTroubleAndQuantiles_theMostFirst() {
    for (int i = 1; i <= 100; i++) {
      add("Checkout", i * SECOND, i * MILLI, i > 98);
    }
    add("Tick", 7 * SECOND, 5, false);
    TraceGroups groups = TraceGroups.of(traces, 50);
    assertThat(groups.traces()).isEqualTo(101);
    assertThat(groups.trouble()).isEqualTo(2);
    assertThat(groups.groups())
        .containsExactly(
            new TraceGroup(
                "Checkout",
                100,
                2,
                50 * MILLI,
                99 * MILLI,
                100 * MILLI,
                String.format("%032x", 99),
                100 * SECOND),
            new TraceGroup("Tick", 1, 0, 5, 5, 5, String.format("%032x", 100), 7 * SECOND));
    assertThat(TraceGroups.of(traces, 1).groups()).hasSize(1);
    assertThat(TraceGroups.of(traces, 1).groupsLeftOut()).isEqualTo(1);
  }

  @Test
  void durations_areBinsOfAQuarterDecade_withoutEmptyEnds() {
    add("a", 0, 1_000, false);
    add("a", 0, 1_777, false);
    add("a", 0, 1_778, true);
    add("a", 0, 10_000, false);
    assertThat(TraceGroups.of(traces, 1).durations())
        .containsExactly(
            new TraceGroups.Bin(1_000, 1_778, 2, 0),
            new TraceGroups.Bin(1_778, 3_162, 1, 1),
            new TraceGroups.Bin(3_162, 5_623, 0, 0),
            new TraceGroups.Bin(5_623, 10_000, 0, 0),
            new TraceGroups.Bin(10_000, 17_783, 1, 0));
  }

  @Test
  void durations_outOfAllBins_areInTheFirstAndTheLast() {
    add("a", 0, 0, false);
    add("a", 0, Long.MAX_VALUE, false);
    List<TraceGroups.Bin> bins = TraceGroups.of(traces, 1).durations();
    assertThat(bins.get(0)).isEqualTo(new TraceGroups.Bin(0, 1_000, 1, 0));
    assertThat(bins.get(bins.size() - 1))
        .isEqualTo(new TraceGroups.Bin(1000 * SECOND, Long.MAX_VALUE, 1, 0));
  }

  @Test
  void times_areAtMostSixtyBinsWithRoundEnds() {
    add("a", 100 * SECOND, 1, false);
    add("a", 159 * SECOND, 1, true);
    List<TraceGroups.Bin> bins = TraceGroups.of(traces, 1).times();
    assertThat(bins).hasSize(60);
    assertThat(bins.get(0)).isEqualTo(new TraceGroups.Bin(100 * SECOND, 101 * SECOND, 1, 0));
    assertThat(bins.get(59)).isEqualTo(new TraceGroups.Bin(159 * SECOND, 160 * SECOND, 1, 1));
    add("a", 161 * SECOND, 1, false);
    bins = TraceGroups.of(traces, 1).times();
    assertThat(bins).hasSize(31);
    assertThat(bins.get(0)).isEqualTo(new TraceGroups.Bin(100 * SECOND, 102 * SECOND, 1, 0));
  }

  @Test
  void times_longAgo_countAsTheFirst() {
    add("a", 1, 1, false);
    add("a", 1000L * 86_400 * SECOND, 1, false);
    List<TraceGroups.Bin> bins = TraceGroups.of(traces, 1).times();
    assertThat(bins).hasSize(60);
    assertThat(bins.get(0).traces()).isEqualTo(1);
    assertThat(bins.get(59).traces()).isEqualTo(1);
  }

  @Test
  void groups_ofNothing_areEmpty() {
    assertThat(TraceGroups.of(List.of(), 5))
        .isEqualTo(new TraceGroups(0, 0, List.of(), 0, List.of(), List.of()));
  }
}
