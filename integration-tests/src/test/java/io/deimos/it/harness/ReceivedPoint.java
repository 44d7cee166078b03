// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.util.List;
import java.util.Map;

/**
 * One point of a metric as it came over the wire.
 *
 * @param type {@code sum}, {@code gauge}, {@code histogram} or {@code exponential}
 * @param temporality {@code cumulative}, {@code delta} or, for a gauge, {@code none}
 * @param value a sum's or gauge's value, a histogram's sum
 * @param count a histogram's count, else 0
 */
public record ReceivedPoint(
    int batch,
    String name,
    String unit,
    String type,
    String temporality,
    boolean monotonic,
    Map<String, Object> attributes,
    double value,
    long count,
    List<Double> bounds,
    List<Long> buckets,
    int exemplars,
    long startNanos,
    long timeNanos,
    String scope) {}
