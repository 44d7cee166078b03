// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

/** How a metric's values are made up. */
public enum MetricKind {
  /** Only grows. */
  COUNTER("counter"),
  /** As it was read last, where the sum over actors or nodes means something. */
  UP_DOWN("up-down counter"),
  /** As it was read last, where it does not. */
  GAUGE("gauge"),
  /** A gauge with decimals, which is read in thousandths. */
  DECIMAL("gauge"),
  /** Durations. */
  HISTOGRAM("histogram");

  private final String word;

  MetricKind(String word) {
    this.word = word;
  }

  /** As the documentation says it. */
  public String word() {
    return word;
  }
}
