// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.trouble.StuckWatch;
import io.opentelemetry.api.metrics.Meter;

/** Counts the messages that were found to be in processing for too long. */
public final class StuckInstrument {
  private StuckInstrument() {}

  /** Has it observed whenever the meter's provider collects. */
  public static void register(Meter meter) {
    Instrument.STUCK.observed(meter, observed -> observed.record(StuckWatch.found()));
  }
}
