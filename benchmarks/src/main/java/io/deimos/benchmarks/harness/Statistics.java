// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.util.Arrays;
import java.util.Collection;

/**
 * Order statistics of a sample. Nothing here assumes a distribution; benchmark noise has none to
 * rely on.
 */
final class Statistics {
  private final double[] sorted;

  private Statistics(double[] sorted) {
    this.sorted = sorted;
  }

  static Statistics of(Collection<Double> sample) {
    if (sample.isEmpty()) {
      throw new IllegalArgumentException("an empty sample has no statistics");
    }
    double[] sorted = sample.stream().mapToDouble(Double::doubleValue).toArray();
    Arrays.sort(sorted);
    return new Statistics(sorted);
  }

  int size() {
    return sorted.length;
  }

  double min() {
    return sorted[0];
  }

  double max() {
    return sorted[sorted.length - 1];
  }

  double median() {
    return quantile(0.5);
  }

  /** The distance between the first and the third quartile. */
  double interquartileRange() {
    return quantile(0.75) - quantile(0.25);
  }

  /**
   * Returns the value below which {@code share} of the sample lies, in [0, 1], interpolated
   * linearly.
   */
  double quantile(double share) {
    double index = share * (sorted.length - 1);
    int below = (int) Math.floor(index);
    int above = (int) Math.ceil(index);
    return sorted[below] + (index - below) * (sorted[above] - sorted[below]);
  }
}
