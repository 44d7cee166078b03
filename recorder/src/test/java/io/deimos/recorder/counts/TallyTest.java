// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.base.RecorderConfig;
import java.util.List;
import org.junit.jupiter.api.Test;

class TallyTest {
  @Test
  void add_oneValueEitherWay_isOneSeries() {
    Tally tally = new Tally(false, 1);
    tally.add(2, "a");
    tally.add(3, "a");
    tally.add(4, new String[] {"a"});
    tally.add(1, "b");
    assertThat(tally.of("a")).isEqualTo(9);
    assertThat(tally.of("b")).isEqualTo(1);
    assertThat(tally.sum()).isEqualTo(10);
    assertThat(tally.read()).hasSize(2);
  }

  @Test
  void add_moreValuesThanThereAreSeries_countsUnderOther() {
    Tally tally = new Tally(false, 1);
    int most = RecorderConfig.current().series().max();
    for (int i = 0; i < most + 10; i++) {
      tally.add(1, "value-" + i);
      tally.add(1, "value-" + i);
    }
    assertThat(tally.read()).hasSize(most).containsKey(List.of("other"));
    assertThat(tally.of("value-0")).isEqualTo(2);
    assertThat(tally.of("other")).isEqualTo(2 * 11);
    assertThat(tally.folded()).isGreaterThan(0);
  }
}
