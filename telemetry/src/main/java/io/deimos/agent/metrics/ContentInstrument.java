// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.spans.Content;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;

/** Counts the messages whose content could not be shown; told only once there is one. */
public final class ContentInstrument {
  private ContentInstrument() {}

  /** Has it observed whenever the meter's provider collects. */
  public static void register(Meter meter) {
    Instrument.CONTENT_FAILED.observed(
        meter,
        observed -> {
          record(observed, Content.unprintable(), "to_string");
          record(observed, Content.unredacted(), "redactor");
        });
  }

  private static void record(ObservableLongMeasurement to, long messages, String reason) {
    if (messages > 0) {
      to.record(messages, Instrument.CONTENT_FAILED.of(reason));
    }
  }
}
