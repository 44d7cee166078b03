// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package shop;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * A card network with the habits of a real one: most answers take some ten milliseconds, a few take
 * longer than anybody waits, some cards are declined, and now and then the connection breaks.
 */
final class SimulatedCardNetwork implements CardNetwork {
  private static final double FASTEST_MILLIS = 8.0;
  private static final double MEAN_EXTRA_MILLIS = 20.0;
  private static final Duration LATE = Duration.ofMillis(1_500);

  private final RandomGenerator random;
  private final ShopSettings.Payment settings;

  SimulatedCardNetwork(RandomGenerator random, ShopSettings.Payment settings) {
    this.random = random;
    this.settings = settings;
  }

  @Override
  public Authorisation authorise(String orderId, long amountCents) {
    if (random.nextDouble() < settings.failureShare()) {
      throw new CardNetworkException("connection reset while charging " + orderId);
    }
    boolean approved = random.nextDouble() >= settings.declinedShare();
    return new Authorisation(approved, latency());
  }

  private Duration latency() {
    if (random.nextDouble() < settings.lateShare()) {
      return LATE;
    }
    double millis = FASTEST_MILLIS + random.nextExponential() * MEAN_EXTRA_MILLIS;
    return Duration.ofNanos((long) (millis * 1e6));
  }
}
