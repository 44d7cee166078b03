// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.in;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StrangersTest {
  private static final long OLD = Strangers.YOUNG_NANOS;

  private final Strangers<String> strangers = new Strangers<>(2);

  @Test
  void arrived_whileThereIsRoom_sendsNobodyAway() {
    assertThat(strangers.arrived("a", 0)).isNull();
    assertThat(strangers.arrived("b", 0)).isNull();
    strangers.left("a");
    assertThat(strangers.arrived("c", 0)).isNull();
    assertThat(strangers.size()).isEqualTo(2);
  }

  @Test
  void arrived_beyondAndTheOldestIsOld_sendsTheOldestAway() {
    strangers.arrived("a", 0);
    strangers.arrived("b", 1);
    assertThat(strangers.arrived("c", OLD)).isEqualTo("a");
    assertThat(strangers.arrived("d", OLD + 1)).isEqualTo("b");
    assertThat(strangers.size()).isEqualTo(2);
  }

  @Test
  void arrived_beyondAndAllAreYoung_sendsTheNewcomerAway() {
    strangers.arrived("a", 0);
    strangers.arrived("b", 0);
    assertThat(strangers.arrived("c", OLD - 1)).isEqualTo("c");
    assertThat(strangers.size()).isEqualTo(2);
  }
}
