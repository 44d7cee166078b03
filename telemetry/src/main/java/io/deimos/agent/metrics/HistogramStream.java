// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.resources.Resource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * One histogram as one reader gets it through one view. If the reader wants deltas, it remembers
 * what it told last. Called by one thread at a time.
 */
final class HistogramStream {
  private final Histogram of;
  private final String name;
  private final String description;
  private final UnaryOperator<Attributes> attributes;
  private final HistogramForm form;
  private final AggregationTemporality temporality;
  private final Map<Attributes, HistogramForm.Point> told = new HashMap<>();

  /**
   * @param attributes what the view leaves of a series' attributes
   */
  HistogramStream(
      Histogram of,
      String name,
      String description,
      UnaryOperator<Attributes> attributes,
      HistogramForm form,
      AggregationTemporality temporality) {
    this.of = of;
    this.name = name;
    this.description = description;
    this.attributes = attributes;
    this.form = form;
    this.temporality = temporality;
  }

  HistogramForm form() {
    return form;
  }

  /** Whether the recorder's buckets have to have this form's bounds. */
  boolean isOfDurations() {
    return of.isOfDurations();
  }

  boolean isDelta() {
    return temporality == AggregationTemporality.DELTA;
  }

  /**
   * Adds the metric, if there is anything to tell.
   *
   * @param all histograms since the process began
   */
  void addTo(
      List<MetricData> to,
      Resource resource,
      Map<Histogram, Map<Attributes, Counted>> all,
      long since,
      long now) {
    Map<Attributes, Counted> series = viewed(all.getOrDefault(of, Map.of()));
    List<HistogramForm.Point> points = new ArrayList<>(series.size());
    series.forEach(
        (kept, counted) -> {
          HistogramForm.Point point = new HistogramForm.Point(since, now, kept, counted);
          if (isDelta()) {
            HistogramForm.Point before = told.put(kept, point);
            if (before != null) {
              point =
                  new HistogramForm.Point(
                      before.toNanos(), now, kept, counted.since(before.counted()));
            }
          }
          if (point.counted().count() != 0) {
            points.add(point);
          }
        });
    told.keySet().retainAll(series.keySet()); // a series that comes back begins anew
    if (!points.isEmpty()) {
      to.add(form.of(resource, of, name, description, temporality, points));
    }
  }

  private Map<Attributes, Counted> viewed(Map<Attributes, Counted> series) {
    Map<Attributes, Counted> viewed = new HashMap<>();
    series.forEach(
        (all, counted) -> {
          Attributes kept = attributes.apply(all);
          viewed.merge(
              kept,
              kept.equals(all) ? counted : counted.filtered(dropped(all, kept)),
              Counted::plus);
        });
    return viewed;
  }

  private static Attributes dropped(Attributes all, Attributes kept) {
    AttributesBuilder dropped = all.toBuilder();
    kept.forEach((key, value) -> dropped.remove(key));
    return dropped.build();
  }
}
