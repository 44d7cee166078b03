// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;

/**
 * Counts records where there is no exporter: what the store was given, or what went nowhere.
 *
 * <p><b>Threads.</b> The drainer's. Its spans are in the counts when it is flushed.
 */
public final class UnexportedCount implements SpanSink {
  private final ExportCounts counts;
  private final boolean stored;
  private long taken;

  public UnexportedCount(ExportCounts counts, boolean stored) {
    this.counts = counts;
    this.stored = stored;
  }

  @Override
  public void accept(SpanView span) {
    taken++;
  }

  @Override
  public void flush() {
    long now = taken;
    taken = 0;
    if (now == 0) {
      return;
    }
    if (stored) {
      counts.exported(now);
    } else {
      counts.refused(now);
    }
  }
}
