// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.tail.TailCounts;
import io.deimos.agent.tail.TailLoss;
import io.deimos.agent.tail.TailReason;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.ObservableLongMeasurement;

/** The counts of tail sampling: kept, let go, and held; told only once there is any. */
public final class TailInstruments {
  private TailInstruments() {}

  /** Has them observed whenever the meter's provider collects. */
  public static void register(Meter meter, TailCounts counts) {
    Instrument.TAIL_KEPT.observed(
        meter,
        observed -> {
          for (TailReason reason : TailReason.values()) {
            record(observed, Instrument.TAIL_KEPT, counts.kept(reason), reason.word());
          }
        });
    Instrument.TAIL_DROPPED.observed(
        meter,
        observed -> {
          for (TailLoss reason : TailLoss.values()) {
            record(observed, Instrument.TAIL_DROPPED, counts.letGo(reason), reason.word());
          }
        });
    Instrument.TAIL_OTHERS_KEPT.observed(
        meter,
        observed -> {
          if (counts.othersKept() > 0) {
            observed.record(counts.othersKept());
          }
        });
    Instrument.TAIL_OTHERS_DROPPED.observed(
        meter,
        observed -> {
          for (TailLoss reason : TailLoss.values()) {
            record(
                observed,
                Instrument.TAIL_OTHERS_DROPPED,
                counts.othersLetGo(reason),
                reason.word());
          }
        });
    Instrument.TAIL_HELD.observed(
        meter,
        observed -> {
          if (counts.letGo() > 0 || counts.held() > 0) {
            observed.record(counts.held());
          }
        });
  }

  private static void record(
      ObservableLongMeasurement to, Instrument of, long spans, String reason) {
    if (spans > 0) {
      to.record(spans, of.of(reason));
    }
  }
}
