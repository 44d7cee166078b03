// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.sdk.logs.data.LogRecordData;
import io.opentelemetry.sdk.logs.export.LogRecordExporter;

/** An exporter of logs whose outages are told. */
public final class TrackedLogExporter extends OutageTracking<LogRecordData>
    implements LogRecordExporter {
  public TrackedLogExporter(LogRecordExporter exporter, Outage outage) {
    super(outage, exporter, exporter::export, exporter::flush, exporter::shutdown);
  }
}
