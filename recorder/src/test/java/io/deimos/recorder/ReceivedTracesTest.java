// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReceivedTracesTest {
  private final ReceivedTraces traces = new ReceivedTraces();

  @Test
  void of_sameIdAgain_isTheSameTrace() {
    Trace one = traces.of(1, 5);
    Trace two = traces.of(2, 5);
    assertThat(two).isNotSameAs(one);
    for (int i = 0; i < 10; i++) {
      assertThat(traces.of(1, 5)).isSameAs(one);
      assertThat(traces.of(2, 5)).isSameAs(two);
    }
    assertThat(one.hi()).isEqualTo(1);
    assertThat(one.lo()).isEqualTo(5);
    assertThat(one.isSampled()).isTrue();
  }

  @Test
  void of_fullSet_forgetsTheOneThatCameLeastLately() {
    List<Trace> all = new ArrayList<>();
    for (int hi = 0; hi < ReceivedTraces.WAYS; hi++) {
      all.add(traces.of(hi, 9));
    }
    assertThat(traces.of(0, 9)).isSameAs(all.get(0));
    Trace more = traces.of(100, 9);
    assertThat(traces.of(100, 9)).isSameAs(more);
    assertThat(traces.of(0, 9)).isSameAs(all.get(0));
    assertThat(traces.of(3, 9)).isSameAs(all.get(3));
    assertThat(traces.of(2, 9)).isSameAs(all.get(2));
    assertThat(traces.of(1, 9)).as("had not come for the longest time").isNotSameAs(all.get(1));
  }

  @Test
  void of_oneThatComesAllTheTime_isNotForgottenForThousandsOfOthers() {
    Random random = new Random(7);
    Trace one = traces.of(1, 1);
    for (int i = 0; i < 100_000; i++) {
      traces.of(random.nextLong(), random.nextLong());
      assertThat(traces.of(1, 1)).isSameAs(one);
    }
  }
}
