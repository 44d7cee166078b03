// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PaceTest {
  private final AtomicLong made = new AtomicLong();

  @Test
  void run_givenRate_makesRateTimesSeconds() {
    assertThat(Pace.run(100_000, 0.05, made::addAndGet)).isEqualTo(5_000);
    assertThat(made).hasValue(5_000);
  }

  @Test
  void run_noLimit_returnsWhatWasMade() {
    long total = Pace.run(0, 0.01, made::addAndGet);
    assertThat(total).isPositive().isEqualTo(made.get());
  }
}
