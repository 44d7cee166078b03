// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.recorder.SpanSink;
import io.deimos.recorder.SpanView;

/** Counts records where there is no exporter: what the store was given, or what went nowhere. */
public final class UnexportedCount implements SpanSink {
  private final ExportCounts counts;
  private final boolean stored;

  public UnexportedCount(ExportCounts counts, boolean stored) {
    this.counts = counts;
    this.stored = stored;
  }

  @Override
  public void accept(SpanView span) {
    if (stored) {
      counts.exported(1);
    } else {
      counts.refused(1);
    }
  }
}
