// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.ring.Records;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RecordLogTest {
  private static final long GRID = 1 << 17;

  private final ProfileRows rows = new ProfileRows();
  private final RecordLog log = new RecordLog(rows, 1 << 20, 8);
  private final Records records = new Records(span -> log.heard(span, 7));
  private final ActorTelemetry actor = Records.actor("pekko://logged/user/a", "test.Logged");

  private List<List<Long>> all() {
    List<List<Long>> all = new ArrayList<>();
    log.forEach(
        (thread, start, end, row, span) -> all.add(List.of(thread, start, end, (long) row, span)));
    return all;
  }

  private void processed(long start, long nanos) {
    records.processed(1, 2, 3, 0, start, start, nanos, actor, null, null);
  }

  @Test
  void heard_longMessage_isKeptWithItsThreadAndRow() {
    processed(1000, 5 * GRID);
    long row = rows.of(actor.kind(), "shop.Orders$Place");
    assertThat(all()).containsExactly(List.of(7L, 1000L, 1000 + 5 * GRID, row, 3L));
    assertThat(rows.byNumber((int) row))
        .isEqualTo(new ProfileRows.Row("test.Logged", "shop.Orders$Place", ""));
  }

  @Test
  void heard_shortMessages_areKeptWhereALineOfTheGridPasses() {
    for (long start = 0; start < 100 * GRID; start += GRID / 16) {
      processed(start + 1, GRID / 16);
    }
    assertThat(all()).hasSize(100);
  }

  @Test
  void heard_ask_isNotKept() {
    records.asked(1, 2, 3, 4, null);
    assertThat(all()).isEmpty();
  }

  @Test
  void add_full_losesTheOldestAndCounts() {
    for (int i = 0; i < 100_000; i++) {
      log.add(i, i, 1, 0, 0);
    }
    assertThat(log.bytes()).isLessThanOrEqualTo(1 << 20);
    assertThat(log.lost()).isPositive();
    List<List<Long>> left = all();
    assertThat(left).hasSize((int) (100_000 - log.lost()));
    assertThat(left.get(left.size() - 1).get(0)).isEqualTo(99_999);
  }

  @Test
  void forget_chunksOfBefore_areLetGo() {
    for (int i = 0; i < 20_000; i++) {
      log.add(1, i, 1, 0, 0);
    }
    log.forget(10_000);
    assertThat(all().get(0).get(1)).isEqualTo(8192);
    log.forget(1_000_000);
    assertThat(all()).as("the last chunk is being written").isNotEmpty();
    assertThat(log.lost()).isZero();
  }
}
