// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.FastClock;
import io.deimos.recorder.Recorder;
import io.opentelemetry.api.metrics.Meter;

/** What the recorder tells of its clock and of the traces it had no room for. */
public final class RecorderMeters {
  private RecorderMeters() {}

  /** Registers the instruments; the clock's has a value while the fast clock is at work. */
  public static void register(Meter meter) {
    meter
        .gaugeBuilder("deimos.clock.error")
        .setUnit("s")
        .setDescription("Distance of the fast clock from nanoTime at the last comparison")
        .buildWithCallback(
            measurement -> {
              if (FastClock.isRunning()) {
                measurement.record(FastClock.errorNanos() / 1e9);
              }
            });
    meter
        .counterBuilder("deimos.trace.thinned")
        .setUnit("{trace}")
        .setDescription("Traces not begun because a ring was more than half full")
        .buildWithCallback(measurement -> measurement.record(Recorder.thinned()));
  }
}
