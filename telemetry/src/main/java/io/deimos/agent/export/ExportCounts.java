// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import java.util.concurrent.atomic.LongAdder;

/** The fate of the spans that left the rings. Safe for any thread. */
public final class ExportCounts {
  private final LongAdder exported = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final LongAdder refused = new LongAdder();
  private final LongAdder unfinished = new LongAdder();
  private final LongAdder warnings = new LongAdder();

  public void exported(long spans) {
    exported.add(spans);
  }

  /** The exporter reported a failure. */
  public void failed(long spans) {
    failed.add(spans);
  }

  /** There was no room for them for too long, or the processor dropped them. */
  public void refused(long spans) {
    refused.add(spans);
  }

  /** The process ended before there was an answer. */
  public void unfinished(long spans) {
    unfinished.add(spans);
  }

  /** The collector took all of a request, and has something to say about it. */
  public void warned() {
    warnings.increment();
  }

  /** Requests of which the collector took all, and said that something is not as it likes. */
  public long warnings() {
    return warnings.sum();
  }

  /** Taken by the exporter, or by the store where there is no exporter. */
  public long exported() {
    return exported.sum();
  }

  public long failed() {
    return failed.sum();
  }

  public long refused() {
    return refused.sum();
  }

  public long unfinished() {
    return unfinished.sum();
  }

  /** Lost after they had left the rings, for whatever reason. */
  public long dropped() {
    return failed.sum() + refused.sum() + unfinished.sum();
  }
}
