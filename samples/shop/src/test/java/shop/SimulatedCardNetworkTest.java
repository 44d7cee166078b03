// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class SimulatedCardNetworkTest {
  private static final Duration PATIENCE = Duration.ofSeconds(1);

  private final RandomGenerator random = new Random(42);

  @Test
  void authorise_nothingGoesWrong_isApprovedSoon() {
    CardNetwork.Authorisation answer = network(0, 0, 0).authorise("order-1", 100);

    assertThat(answer.approved()).isTrue();
    assertThat(answer.latency()).isBetween(Duration.ofMillis(8), PATIENCE);
  }

  @Test
  void authorise_allDeclined_isNotApproved() {
    assertThat(network(0, 1, 0).authorise("order-1", 100).approved()).isFalse();
  }

  @Test
  void authorise_allLate_takesLongerThanACartWaits() {
    assertThat(network(0, 0, 1).authorise("order-1", 100).latency()).isGreaterThan(PATIENCE);
  }

  @Test
  void authorise_allFail_throws() {
    assertThatThrownBy(() -> network(1, 0, 0).authorise("order-1", 100))
        .isInstanceOf(CardNetworkException.class)
        .hasMessageContaining("order-1");
  }

  private CardNetwork network(double failureShare, double declinedShare, double lateShare) {
    return new SimulatedCardNetwork(
        random, new ShopSettings.Payment(Duration.ZERO, failureShare, declinedShare, lateShare));
  }
}
