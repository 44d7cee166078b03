// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.util.Collection;

/** Counts what becomes of our spans in the configured exporter, which does the work. */
public final class CountingExporter implements SpanExporter {
  private final SpanExporter exporter;
  private final ExportCounts counts;
  private final Outage outage;
  private final String target;

  /**
   * @param outage told what becomes of each batch
   * @param target where they go, for messages
   */
  public CountingExporter(
      SpanExporter exporter, ExportCounts counts, Outage outage, String target) {
    this.exporter = exporter;
    this.counts = counts;
    this.outage = outage;
    this.target = target;
  }

  /** The configured exporter. */
  public SpanExporter exporter() {
    return exporter;
  }

  @Override
  public CompletableResultCode export(Collection<SpanData> spans) {
    long ours = spans.stream().filter(ExportedSpan.class::isInstance).count();
    CompletableResultCode result = exporter.export(spans);
    result.whenComplete(
        () -> {
          if (result.isSuccess()) {
            counts.exported(ours);
            outage.succeeded();
          } else {
            counts.failed(ours);
            outage.failed(target, OutageTracking.reason(result));
          }
        });
    return result;
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
