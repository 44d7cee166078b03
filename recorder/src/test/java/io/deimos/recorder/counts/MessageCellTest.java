// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.MessageClasses;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class MessageCellTest {
  private final MessageCell cell =
      new MessageCell(
          String.class,
          ActorKinds.of("test", "test.Cell", false),
          MessageClasses.of(String.class),
          0);

  private long[] sums() {
    long[] sums = new long[MessageCell.LONGS];
    cell.addTo(sums);
    return sums;
  }

  private static long count(long[] sums, int from) {
    return Arrays.stream(sums, from, from + Durations.BUCKETS).sum();
  }

  @Test
  void add_untimedBeforeATimedOne_areStoodForByIt() {
    cell.add();
    cell.add();
    cell.add(100, 5_000);
    cell.add();
    long[] sums = sums();
    assertThat(sums[MessageCell.PROCESSED]).isEqualTo(4);
    assertThat(count(sums, MessageCell.PROCESSING)).isEqualTo(3);
    assertThat(sums[MessageCell.PROCESSING_SUM]).isEqualTo(300);
    assertThat(sums[MessageCell.WAIT + Durations.bucket(5_000)]).isEqualTo(3);
    assertThat(sums[MessageCell.WAIT_SUM]).isEqualTo(15_000);
  }

  @Test
  void add_unknownWait_isStoodForByTheNextKnown() {
    cell.add(2_000, -1);
    cell.add(3_000, 70);
    long[] sums = sums();
    assertThat(sums[MessageCell.PROCESSING_SUM]).isEqualTo(5_000);
    assertThat(count(sums, MessageCell.WAIT)).isEqualTo(2);
    assertThat(sums[MessageCell.WAIT_SUM]).isEqualTo(140);
  }

  @Test
  void isSlow_followsTheMessageTimedLast() {
    assertThat(cell.isSlow()).isFalse();
    cell.add(1_000, 0);
    assertThat(cell.isSlow()).isTrue();
    cell.add(999, 0);
    assertThat(cell.isSlow()).isFalse();
  }
}
