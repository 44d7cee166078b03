// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableDoubleExemplarData;
import java.util.ArrayList;
import java.util.List;

/** The measurements of one series. Immutable: nobody writes to what it is made of. */
final class Counted {
  private final long[] counts;
  private final long sum;
  private final List<DoubleExemplarData> exemplars;

  /**
   * @param counts how many fell into each of the recorder's buckets
   * @param sum what they come to in all
   * @param exemplars spans that lead to traces
   */
  Counted(long[] counts, long sum, List<DoubleExemplarData> exemplars) {
    this.counts = counts;
    this.sum = sum;
    this.exemplars = exemplars;
  }

  Counted(long[] counts, long sum) {
    this(counts, sum, List.of());
  }

  long[] counts() {
    return counts;
  }

  List<DoubleExemplarData> exemplars() {
    return exemplars;
  }

  Counted plus(Counted more) {
    List<DoubleExemplarData> all = new ArrayList<>(exemplars);
    all.addAll(more.exemplars);
    return new Counted(added(counts, more.counts, 1), sum + more.sum, all);
  }

  /** The growth since an earlier state of the series. */
  Counted since(Counted before) {
    return new Counted(added(counts, before.counts, -1), sum - before.sum, exemplars);
  }

  /** The same, whose exemplars keep the attributes that a view takes from the series. */
  Counted filtered(Attributes dropped) {
    return exemplars.isEmpty()
        ? this
        : new Counted(
            counts,
            sum,
            exemplars.stream()
                .map(
                    one ->
                        ImmutableDoubleExemplarData.create(
                            dropped, one.getEpochNanos(), one.getSpanContext(), one.getValue()))
                .toList());
  }

  long count() {
    long all = 0;
    for (long count : counts) {
      all += count;
    }
    return all;
  }

  long sum() {
    return sum;
  }

  private static long[] added(long[] of, long[] and, int factor) {
    long[] sum = of.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += factor * and[i];
    }
    return sum;
  }
}
