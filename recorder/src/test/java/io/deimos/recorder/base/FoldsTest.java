// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.data.Percentage.withPercentage;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorChoice;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.counts.RecordCells;
import io.deimos.recorder.counts.Tally;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whatever is counted as something else for want of room is told to be. */
class FoldsTest {
  @Test
  void count_fewThings_isExact() {
    Distinct seen = new Distinct();
    assertThat(seen.count()).isZero();
    for (int i = 0; i < 30; i++) {
      seen.add("thing " + i % 3);
    }
    assertThat(seen.count()).isEqualTo(3);
  }

  @Test
  void count_manyThings_isAboutRight() {
    Distinct seen = new Distinct();
    for (int i = 0; i < 8_000; i++) {
      seen.add("thing " + i);
    }
    assertThat(seen.count()).isCloseTo(8_000, withPercentage(5));
  }

  @Test
  void count_farTooManyThings_isItsMost() {
    Distinct seen = new Distinct();
    for (int i = 0; i < 1_000_000; i++) {
      seen.add("thing " + i);
    }
    assertThat(seen.count()).isEqualTo(Distinct.MOST);
  }

  @Test
  void series_moreThanATallyHasRoomFor_areFolded() {
    Tally tally = new Tally(false, 1);
    int most = Recorder.config().series().max();
    for (int i = 0; i < most + 49; i++) {
      tally.add(1, "value " + i);
    }
    assertThat(tally.read()).hasSize(most).containsKey(List.of("other"));
    assertThat(tally.folded()).isBetween(48, 52);
  }

  @Test
  void series_moreThanAGaugeHasRoomFor_areFolded() {
    Readings readings = new Readings();
    int most = Recorder.config().series().max();
    for (int i = 0; i < most + 49; i++) {
      readings.raise(Metric.SHARDING_LARGEST, i, "system", "type " + i);
    }
    assertThat(readings.of(Metric.SHARDING_LARGEST))
        .hasSize(most)
        .containsEntry(List.of("other", "other"), most + 48L);
    assertThat(readings.folded(Metric.SHARDING_LARGEST)).isBetween(48, 52);
    assertThat(readings.folded(Metric.MAILBOX_SIZE)).isZero();
  }

  @Test
  void series_moreExceptionsThanAClassHasRoomFor_areFolded() {
    ActorKind kind = ActorKinds.of("folds", "test.Failing", false);
    int most = ActorKind.MAX_ERROR_TYPES;
    for (int i = 0; i < most + 5; i++) {
      kind.countFailed("test.Exception" + i);
    }
    assertThat(kind.failures()).hasSize(most + 1).containsEntry("other", 5L);
    assertThat(Folds.series()).containsEntry("exceptions", 5);
  }

  @Test
  void under_moreRulesThanAClassHasRoomFor_isCounted() {
    ActorKind kind = ActorKinds.of("folds", "test.MuchRuled", false);
    long before = Folds.unruled();
    for (int i = 0; i < ActorKind.MAX_VARIANTS + 3; i++) {
      kind.under(
          kind.policy(), new ActorChoice(null, null, null, i / 1000.0, null, null, null, false));
    }
    assertThat(Folds.unruled() - before).isEqualTo(3);
  }

  @Test
  void add_recordOfAnActorThatStoppedLongAgo_isCounted() {
    long before = Folds.late();
    RecordCells cells = new RecordCells();
    cells.add(Integer.MAX_VALUE, 1, 1000, 10, false);
    assertThat(Folds.late() - before).isEqualTo(1);
  }
}
