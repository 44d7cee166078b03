// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;
import java.util.Collection;

/** Tells an {@link Outage} what becomes of each request of an exporter of logs. */
public final class ToldLogExporter implements LogRecordExporter {
  private final LogRecordExporter exporter;
  private final Told told;

  public ToldLogExporter(LogRecordExporter exporter, Outage outage) {
    this.exporter = exporter;
    this.told = new Told(outage, exporter);
  }

  @Override
  public CompletableResultCode export(Collection<LogRecordData> logs) {
    return told.of(exporter.export(logs));
  }

  @Override
  public CompletableResultCode flush() {
    return exporter.flush();
  }

  @Override
  public CompletableResultCode shutdown() {
    return exporter.shutdown();
  }

  @Override
  public String toString() {
    return exporter.toString();
  }
}
