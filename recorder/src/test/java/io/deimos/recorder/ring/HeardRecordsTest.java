// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.base.RecorderConfig;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeardRecordsTest {
  private final Lane lane =
      new Lane(new RecorderConfig(true, false, 64), 1, new RingBudget(1 << 20, 1024));
  private final List<Long> heard = new ArrayList<>();
  private final List<Long> drained = new ArrayList<>();
  private final HeardRecords records = new HeardRecords();
  private final SpanSink sink = span -> drained.add(span.spanId());

  private void write(long id) {
    assertThat(lane.write(id, id, id, 3, 4, 5, 6, 7, 0, 0, null)).isTrue();
  }

  private void drain(RecordListener listener) {
    lane.drain(new SpanView(), records.of(lane, listener, sink), 10);
  }

  @Test
  void of_lane_tellsOfEachRecordWithItsThread() {
    lane.owner = new WeakReference<>(Thread.currentThread());
    write(1);
    write(2);
    drain(
        (span, thread) -> {
          heard.add(span.spanId());
          heard.add(thread);
        });
    long me = Thread.currentThread().getId();
    assertThat(heard).containsExactly(1L, me, 2L, me);
    assertThat(drained).containsExactly(1L, 2L);
  }

  @Test
  void of_listenerThatFails_losesNothing() {
    lane.owner = new WeakReference<>(Thread.currentThread());
    write(1);
    drain(
        (span, thread) -> {
          throw new IllegalStateException("a listener that fails");
        });
    assertThat(drained).containsExactly(1L);
  }

  @Test
  void of_nobodyListensOrNoOwner_goesStraightOn() {
    assertThat(records.of(lane, null, sink)).isSameAs(sink);
    assertThat(records.of(lane, (span, thread) -> {}, sink)).isSameAs(sink);
  }
}
