// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ObstaclesTest {
  @Test
  void isTooOld_versionsBefore17_true() {
    assertThat(Obstacles.isTooOld("1.8")).isTrue();
    assertThat(Obstacles.isTooOld("11")).isTrue();
    assertThat(Obstacles.isTooOld("16")).isTrue();
  }

  @Test
  void isTooOld_versionsFrom17_false() {
    assertThat(Obstacles.isTooOld("17")).isFalse();
    assertThat(Obstacles.isTooOld("25")).isFalse();
    assertThat(Obstacles.isTooOld("something new")).isFalse();
  }
}
