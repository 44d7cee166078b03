// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.context;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.trace.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ReceivedTracesTest {
  private final ReceivedTraces traces = new ReceivedTraces();

  @Test
  void of_sameIdAgain_isTheSameTrace() {
    Trace one = traces.of(1, 5, null);
    Trace two = traces.of(2, 5, null);
    assertThat(two).isNotSameAs(one);
    for (int i = 0; i < 10; i++) {
      assertThat(traces.of(1, 5, null)).isSameAs(one);
      assertThat(traces.of(2, 5, null)).isSameAs(two);
    }
    assertThat(one.hi()).isEqualTo(1);
    assertThat(one.lo()).isEqualTo(5);
    assertThat(one.isSampled()).isTrue();
  }

  @Test
  void of_fullSet_forgetsTheOneThatCameLeastLately() {
    long[] ids =
        LongStream.iterate(1, hi -> hi + 1)
            .filter(hi -> traces.set(hi, 9) == traces.set(1, 9))
            .limit(ReceivedTraces.WAYS + 1)
            .toArray();
    List<Trace> all = new ArrayList<>();
    for (int i = 0; i < ReceivedTraces.WAYS; i++) {
      all.add(traces.of(ids[i], 9, null));
    }
    assertThat(traces.of(ids[0], 9, null)).isSameAs(all.get(0));
    Trace more = traces.of(ids[ReceivedTraces.WAYS], 9, null);
    assertThat(traces.of(ids[ReceivedTraces.WAYS], 9, null)).isSameAs(more);
    assertThat(traces.of(ids[0], 9, null)).isSameAs(all.get(0));
    assertThat(traces.of(ids[3], 9, null)).isSameAs(all.get(3));
    assertThat(traces.of(ids[2], 9, null)).isSameAs(all.get(2));
    assertThat(traces.of(ids[1], 9, null))
        .as("had not come for the longest time")
        .isNotSameAs(all.get(1));
  }

  /** Ids that share their lowest bits, and whatever else can be seen from outside. */
  @Test
  void of_idsThatAreChosen_doNotPushOneOut() {
    Trace one = traces.of(7, 7, null);
    for (int i = 1; i <= 100; i++) {
      traces.of(7, 7 + ((long) i << 42 | (long) i << 10), null);
    }
    assertThat(traces.of(7, 7, null)).isSameAs(one);
  }

  @Test
  void of_beyondTheLimit_isNotSampledAndStaysSo() {
    RateLimit most = new RateLimit(0.001); // one at once, and another one long after
    long sampled =
        LongStream.rangeClosed(1, 100).filter(i -> traces.of(i, i, most).isSampled()).count();
    assertThat(sampled).isEqualTo(1);
    assertThat(traces.of(100, 100, null).isSampled()).isFalse();
    assertThat(traces.of(1, 1, most).isSampled()).isTrue();
  }

  @Test
  void of_oneThatComesAllTheTime_isNotForgottenForThousandsOfOthers() {
    Random random = new Random(7);
    Trace one = traces.of(1, 1, null);
    for (int i = 0; i < 100_000; i++) {
      traces.of(random.nextLong(), random.nextLong(), null);
      assertThat(traces.of(1, 1, null)).isSameAs(one);
    }
  }
}
