// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Here the pairs differ in the kind of actor; the message class is one. */
class SeriesBudgetTest {
  private static final int SERIES = 32;
  private static final int OWN = (SERIES - SeriesBudget.SYSTEMS) * 8 / 9;

  private final SeriesBudget budget = new SeriesBudget(SERIES, Long.MAX_VALUE);
  private final List<CellTable> tables = List.of(new CellTable(), new CellTable());
  private final List<ActorKind> kinds = new ArrayList<>();

  private ActorKind kind(int i) {
    while (kinds.size() <= i) {
      kinds.add(ActorKinds.of("budget", "test.Budget" + kinds.size(), false));
    }
    return kinds.get(i);
  }

  private void count(int kind, int times) {
    for (int i = 0; i < times; i++) {
      tables.get(i % 2).get(kind(kind), String.class).add(1000, 10);
    }
  }

  private Map<String, Long> told() {
    Map<String, Long> told = new HashMap<>();
    for (MetricsFold.Series series : budget.fold(tables).series()) {
      told.merge(series.kind().className(), series.processed(), Long::sum);
    }
    return told;
  }

  private static long sum(Map<String, Long> told) {
    return told.values().stream().mapToLong(n -> n).sum();
  }

  @Test
  void fold_morePairsThanSeries_restIsOther() {
    for (int i = 0; i < 100; i++) {
      count(i, 3);
    }
    assertThat(told()).hasSize(OWN + 1).containsEntry("test.Budget0", 3L);
    assertThat(told()).containsEntry("other", (100L - OWN) * 3);
    assertThat(budget.folded()).isEqualTo(100 - OWN);
  }

  @Test
  void folded_morePairsThanAreKnown_areToldToo() {
    SeriesBudget small = new SeriesBudget(SERIES, Long.MAX_VALUE, 50);
    CellTable table = new CellTable();
    for (int i = 0; i < 100; i++) {
      table.get(kind(i), String.class).add(1000, 10);
    }
    assertThat(small.folded()).as("nobody has looked yet").isZero();
    small.adopt(List.of(table));
    assertThat(small.folded()).isBetween(100 - OWN - 2, 100 - OWN + 2);
    assertThat(
            small.fold(List.of(table)).series().stream()
                .mapToLong(MetricsFold.Series::processed)
                .sum())
        .isEqualTo(100);
  }

  @Test
  void fold_withinTheBudget_hasNoOther() {
    count(0, 5);
    assertThat(told()).containsExactly(Map.entry("test.Budget0", 5L));
  }

  @Test
  void endWindow_lateHotPair_getsASeriesInThreeWindows() {
    for (int i = 0; i < 1000; i++) {
      count(i, 2);
    }
    for (int window = 0; window < Pair.WINDOWS; window++) {
      assertThat(told()).doesNotContainKey("test.Budget777");
      for (int i = 0; i < 1000; i++) {
        count(i, 2);
      }
      count(777, 5000);
      budget.endWindow(tables);
    }
    long before = sum(told());
    count(777, 100);
    assertThat(told()).containsEntry("test.Budget777", 100L).hasSizeLessThan(SERIES);
    assertThat(sum(told())).isEqualTo(before + 100);
  }

  @Test
  void endWindow_heavyPairs_keepTheirSeries() {
    for (int i = 0; i < 1000; i++) {
      count(i, 1);
    }
    for (int window = 0; window < 10; window++) {
      for (int i = 0; i < OWN; i++) {
        count(i, 3000);
      }
      for (int i = OWN; i < 1000; i++) {
        count(i, 5);
      }
      budget.endWindow(tables);
    }
    for (int i = 0; i < OWN; i++) {
      assertThat(told()).containsEntry("test.Budget" + i, 30_001L);
    }
  }

  @Test
  void told_whateverChangesPlaces_neverGoesDownAndLosesNothing() {
    Map<String, Long> highest = new HashMap<>();
    long counted = 0;
    java.util.Random random = new java.util.Random(7);
    for (int window = 0; window < 200; window++) {
      int hot = random.nextInt(300);
      for (int i = 0; i < 300; i++) {
        int times = i == hot || i == (hot + window / 20) % 300 ? 2000 : 2;
        count(i, times);
        counted += times;
      }
      if (window % 4 == 0) {
        hot = random.nextInt(300);
      }
      budget.endWindow(tables);
      Map<String, Long> now = told();
      assertThat(now).hasSizeLessThanOrEqualTo(SERIES);
      now.forEach(
          (name, count) -> {
            assertThat(count).as(name).isGreaterThanOrEqualTo(highest.getOrDefault(name, 0L));
            highest.put(name, count);
          });
    }
    // The last figures of each series, those that have none now included, is all there was.
    assertThat(sum(highest)).isEqualTo(counted);
  }

  @Test
  void told_seriesThatComesBackForDifferences_beginsAtZero() {
    budget.restart();
    for (int i = 0; i < 200; i++) {
      count(i, 20);
    }
    budget.adopt(tables); // before windows can tell them apart
    makeHot(150);
    assertThat(told()).containsKey("test.Budget150");
    for (int i = 0; i < 40 && told().containsKey("test.Budget0"); i++) {
      makeHot(160 + i);
    }
    assertThat(told()).doesNotContainKey("test.Budget0");
    makeHot(0);
    assertThat(told()).containsEntry("test.Budget0", 0L);
  }

  private void makeHot(int pair) {
    for (int window = 0; window < Pair.WINDOWS; window++) {
      count(pair, 5000);
      for (int i = 1; i < OWN; i++) {
        count(i, 100);
      }
      budget.endWindow(tables);
    }
  }
}
