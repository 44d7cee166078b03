// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.prometheus.metrics.model.snapshots.InfoSnapshot;
import io.prometheus.metrics.model.snapshots.InfoSnapshot.InfoDataPointSnapshot;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;

/**
 * Leaves the process's command line out of {@code target_info}. OpenTelemetry's resource has it,
 * and users give it credentials; whoever may scrape must not read them.
 */
final class ShownResource {
  private static final String COMMAND = "process_command";

  private ShownResource() {}

  /** The metric as it may be shown. */
  static MetricSnapshot of(MetricSnapshot metric) {
    if (!(metric instanceof InfoSnapshot info)) {
      return metric;
    }
    return new InfoSnapshot(
        info.getMetadata(),
        info.getDataPoints().stream()
            .map(point -> new InfoDataPointSnapshot(withoutCommand(point.getLabels())))
            .toList());
  }

  private static Labels withoutCommand(Labels labels) {
    Labels.Builder kept = Labels.builder();
    for (int i = 0; i < labels.size(); i++) {
      if (!labels.getPrometheusName(i).startsWith(COMMAND)) {
        kept.label(labels.getName(i), labels.getValue(i));
      }
    }
    return kept.build();
  }
}
