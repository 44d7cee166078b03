// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClockPairsTest {
  private static final long TWO_MINUTES = 120_000_000_000L;

  private final ClockPairs pairs = new ClockPairs();

  /** A round trip to a clock that is two minutes ahead. */
  private void trip(long at, long there, long back) {
    pairs.add(
        at, at + there + TWO_MINUTES, at + there + 500 + TWO_MINUTES, at + there + 500 + back);
  }

  @Test
  void offset_ofManyTrips_isThatOfTheShortestWithinItsError() {
    assertThat(pairs.offset()).isNull();
    trip(1_000, 9_000_000, 1_000);
    trip(2_000_000_000, 70_000, 50_000);
    trip(3_000_000_000L, 1_000, 30_000_000);
    ClockOffset offset = Objects.requireNonNull(pairs.offset());
    assertThat(offset.nanos()).isEqualTo(TWO_MINUTES + 10_000);
    assertThat(offset.errorNanos()).isEqualTo(60_000);
    assertThat(Math.abs(offset.nanos() - TWO_MINUTES)).isLessThanOrEqualTo(offset.errorNanos());
    assertThat(offset.correction()).isEqualTo(offset.nanos());
  }

  @Test
  void offset_withinItsError_correctsNothing() {
    pairs.add(0, 40_000, 41_000, 61_000);
    ClockOffset offset = Objects.requireNonNull(pairs.offset());
    assertThat(offset).isEqualTo(new ClockOffset(10_000, 30_000));
    assertThat(offset.correction()).isZero();
  }

  @Test
  void add_whatCannotBe_isLeftOut() {
    pairs.add(0, Long.MAX_VALUE, Long.MAX_VALUE, 10);
    pairs.add(0, Long.MIN_VALUE, 5, 10);
    pairs.add(0, 5, 4, 10);
    pairs.add(0, 100, 200, 50);
    assertThat(pairs.offset()).as("it came before it was answered").isNull();
  }
}
