// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class ShareDifferenceTest {
  private static final double Z95 = 1.959964;
  private static final Offset<Double> ROUNDED = within(0.00006);

  /** Contrasts a, b, c and d of Newcombe's second table, by his method 10. */
  @Test
  void certain_ofPublishedCounts_isThePublishedBound() {
    assertThat(ShareDifference.certain(56, 70, 48, 80, Z95)).isEqualTo(0.0524, ROUNDED);
    assertThat(ShareDifference.certain(9, 10, 3, 10, Z95)).isEqualTo(0.1705, ROUNDED);
    assertThat(ShareDifference.certain(2, 7, 6, 7, Z95)).isEqualTo(-0.0582, ROUNDED);
    assertThat(ShareDifference.certain(5, 56, 0, 29, Z95)).as("-0.0381 to 0.1926").isZero();
  }

  @Test
  void certain_ofFewTraces_isLessThanOfManyWithASmallerDifference() {
    assertThat(ShareDifference.certain(3, 3, 0, 40))
        .isPositive()
        .isLessThan(ShareDifference.certain(150, 200, 20, 200));
    assertThat(ShareDifference.certain(2, 2, 1, 100)).as("a chance").isZero();
    assertThat(ShareDifference.certain(5, 5, 0, 0)).as("nothing to compare with").isZero();
    assertThat(ShareDifference.certain(7, 7, 9, 9)).as("all have it").isZero();
  }
}
