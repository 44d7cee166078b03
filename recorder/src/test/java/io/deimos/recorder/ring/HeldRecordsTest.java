// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.spans.Rare;
import java.util.ArrayDeque;
import java.util.Deque;
import org.junit.jupiter.api.Test;

class HeldRecordsTest {
  private static final int MANY = 5_000;

  private final HeldRecords records = new HeldRecords();
  private final SpanView view = new SpanView();

  private int hold(long span) {
    long[] longs = new long[Ring.RECORD_LONGS];
    longs[2] = span;
    view.wrap(longs, 0, span % 3 == 0 ? new Rare(null, span, null, null) : null);
    return records.hold(view);
  }

  @Test
  void copies_ofMany_areWhatWasCopied() {
    int[] numbers = new int[MANY];
    for (int i = 0; i < MANY; i++) {
      numbers[i] = hold(i);
    }
    for (int i = 0; i < MANY; i++) {
      records.show(numbers[i], view);
      assertThat(view.spanId()).isEqualTo(i);
      assertThat(records.isPlain(numbers[i])).isEqualTo(i % 3 != 0);
      assertThat(view.rare() == null).isEqualTo(i % 3 != 0);
    }
    assertThat(records.size()).isEqualTo(MANY);
  }

  @Test
  void numbers_thatWereLetGo_areUsedAgain() {
    Deque<Integer> held = new ArrayDeque<>();
    int largest = 0;
    for (int i = 0; i < MANY; i++) {
      held.add(hold(i));
      largest = Math.max(largest, held.getLast());
      if (held.size() > 10) {
        records.letGo(held.remove());
      }
    }
    assertThat(largest).isLessThan(1024);
    assertThat(records.size()).isEqualTo(10);
  }

  @Test
  void copies_strungTogether_areFoundInThatOrder() {
    int first = hold(1);
    int second = hold(2);
    assertThat(records.next(first)).isEqualTo(HeldRecords.NONE);
    records.next(first, second);
    assertThat(records.next(first)).isEqualTo(second);
    assertThat(records.next(second)).isEqualTo(HeldRecords.NONE);
  }
}
