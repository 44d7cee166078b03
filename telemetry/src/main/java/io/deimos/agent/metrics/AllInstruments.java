// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.agent.span.Scope;
import io.deimos.agent.tail.TailCounts;
import io.deimos.recorder.hooks.SerializationHooks;
import io.deimos.remote.RemoteStats;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;

/** Registers every instrument of this package, when the SDK is ready. */
public final class AllInstruments {
  private AllInstruments() {}

  /**
   * Registers them, if metrics are on.
   *
   * @param provider the SDK's
   */
  public static void register(
      MeterProvider provider,
      Settings settings,
      ExportCounts counts,
      TailCounts tail,
      Limits limits) {
    if (!settings.metrics()) {
      return;
    }
    Meter meter = Scope.meter(provider);
    Instruments.register(meter, counts, limits);
    RecorderMeters.register(meter);
    RemoteMetrics.register(meter);
    if (settings.get(Keys.REMOTE_METRICS)) {
      RemoteStats.meter(new LaneMeter());
      SerializationHooks.largeFrom(settings.get(Keys.LARGE_MESSAGE));
    }
    StuckInstrument.register(meter);
    ScrapeInstrument.register(meter);
    ContentInstrument.register(meter);
    TailInstruments.register(meter, tail);
  }
}
