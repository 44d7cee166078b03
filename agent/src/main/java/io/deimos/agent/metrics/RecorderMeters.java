// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.Recorder;
import io.deimos.recorder.clock.FastClock;
import io.deimos.recorder.housekeeping.Memory;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.Meter;

/** What the recorder tells of its clock, its memory and the traces it had no room for. */
public final class RecorderMeters {
  private static final AttributeKey<String> PURPOSE = AttributeKey.stringKey("purpose");

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
        .upDownCounterBuilder("deimos.memory")
        .setUnit("By")
        .setDescription("Heap that the agent uses for its data, by purpose")
        .buildWithCallback(
            measurement ->
                Memory.bytes()
                    .forEach(
                        (purpose, bytes) ->
                            measurement.record(bytes, Attributes.of(PURPOSE, purpose.word()))));
    meter
        .counterBuilder("deimos.trace.thinned")
        .setUnit("{trace}")
        .setDescription("Traces not begun because a ring was more than half full")
        .buildWithCallback(measurement -> measurement.record(Recorder.thinned()));
  }
}
