// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.opentelemetry.api.metrics.Meter;

/**
 * The metrics for which the last answer of {@code /metrics} had no room; told only once there was
 * any.
 */
final class ScrapeInstrument {
  private static volatile int leftOut;
  private static volatile boolean wasAny;

  private ScrapeInstrument() {}

  static void register(Meter meter) {
    Instrument.UNSCRAPED.observed(
        meter,
        observed -> {
          if (wasAny) {
            observed.record(leftOut);
          }
        });
  }

  /** An answer left out so many metrics. */
  static void leftOut(int metrics) {
    leftOut = metrics;
    wasAny |= metrics > 0;
  }
}
