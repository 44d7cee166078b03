// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.clock.FastClock;
import io.deimos.recorder.housekeeping.Memory;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;

/** The recorder's figures on its clock, its memory and the traces it had no room for. */
public final class RecorderMeters {
  private RecorderMeters() {}

  /** Registers the instruments; the clock's has a value while the fast clock is at work. */
  @SuppressWarnings("resource") // observed as long as the process runs
  public static void register(Meter meter) {
    ObservableDoubleMeasurement error = Instrument.CLOCK_ERROR.seconds(meter);
    meter.batchCallback(
        () -> {
          if (FastClock.isRunning()) {
            error.record(FastClock.errorNanos() / 1e9);
          }
        },
        error);
    Instrument.MEMORY.observed(
        meter,
        observed ->
            Memory.bytes()
                .forEach(
                    (purpose, bytes) ->
                        observed.record(bytes, Instrument.MEMORY.of(purpose.word()))));
    Instrument.TRACES_THINNED.observed(meter, observed -> observed.record(Recorder.thinned()));
  }
}
