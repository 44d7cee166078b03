// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.page.ScrapedText;
import io.opentelemetry.exporter.prometheus.PrometheusMetricReader;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import java.io.IOException;
import java.io.OutputStream;
import org.jspecify.annotations.Nullable;

/** All metrics of this process, as Prometheus reads them; collected when somebody asks. */
public final class PrometheusText implements ScrapedText {
  private final PrometheusMetricReader prometheus = PrometheusMetricReader.create();
  private final MetricReader reader;
  private final ExpositionFormats formats = ExpositionFormats.init();

  /**
   * @param isExponential whether histograms are exponential, which Prometheus calls native
   */
  public PrometheusText(boolean isExponential) {
    reader = isExponential ? new ExponentialReader(prometheus) : prometheus;
  }

  /** What the SDK's provider must be told of. */
  public MetricReader reader() {
    return reader;
  }

  @Override
  public String contentType(@Nullable String accepted) {
    return formats.findWriter(accepted).getContentType();
  }

  @Override
  public void writeTo(OutputStream out, @Nullable String accepted) throws IOException {
    formats.findWriter(accepted).write(out, prometheus.collect());
  }
}
