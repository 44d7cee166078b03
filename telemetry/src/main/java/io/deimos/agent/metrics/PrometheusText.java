// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.agent.settings.Keys;
import io.opentelemetry.exporter.prometheus.PrometheusMetricReader;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.prometheus.metrics.expositionformats.ExpositionFormats;
import io.prometheus.metrics.model.snapshots.DataPointSnapshot;
import io.prometheus.metrics.model.snapshots.HistogramSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** All metrics of this process, as Prometheus reads them; collected when somebody asks. */
public final class PrometheusText implements ScrapedText {
  private final PrometheusMetricReader prometheus = PrometheusMetricReader.create();
  private final MetricReader reader;
  private final Consumer<String> problems;

  /** Made for the first who asks: it reads the library's own settings. */
  private volatile @Nullable ExpositionFormats formats;

  /**
   * @param isExponential whether histograms are exponential, which Prometheus calls native
   * @param problems told of metrics that are left out
   */
  public PrometheusText(boolean isExponential, Consumer<String> problems) {
    reader = isExponential ? new ExponentialReader(prometheus) : prometheus;
    this.problems = problems;
  }

  /** The reader that the SDK's provider must be told of. */
  public MetricReader reader() {
    return reader;
  }

  @Override
  public String contentType(@Nullable String accepted) {
    return formats().findWriter(accepted).getContentType();
  }

  private ExpositionFormats formats() {
    ExpositionFormats known = formats;
    if (known == null) {
      known = ExpositionFormats.init();
      formats = known;
    }
    return known;
  }

  @Override
  public Collected collect() {
    return new Snapshots(prometheus.collect());
  }

  /** How many lines one metric is. */
  private static long lines(MetricSnapshot metric) {
    long lines = 0;
    for (DataPointSnapshot point : metric.getDataPoints()) {
      lines +=
          point instanceof HistogramSnapshot.HistogramDataPointSnapshot histogram
                  && histogram.hasClassicHistogramData()
              ? histogram.getClassicBuckets().size() + 2
              : 1;
    }
    return lines;
  }

  private final class Snapshots implements Collected {
    private final MetricSnapshots all;

    Snapshots(MetricSnapshots all) {
      this.all = all;
    }

    @Override
    public long lines() {
      return all.stream().mapToLong(PrometheusText::lines).sum();
    }

    @Override
    public void writeTo(OutputStream out, @Nullable String accepted, long mostLines)
        throws IOException {
      List<MetricSnapshot> shortest = new ArrayList<>(all.stream().toList());
      shortest.sort(Comparator.comparingLong(PrometheusText::lines));
      List<MetricSnapshot> written = new ArrayList<>();
      long lines = 0;
      for (MetricSnapshot metric : shortest) {
        lines += PrometheusText.lines(metric);
        if (lines <= mostLines) {
          written.add(ShownResource.of(metric));
        }
      }
      formats().findWriter(accepted).write(out, new MetricSnapshots(written));
      ScrapeInstrument.leftOut(shortest.size() - written.size());
      if (written.size() < shortest.size()) {
        tell(shortest.subList(written.size(), shortest.size()));
      }
    }

    private void tell(List<MetricSnapshot> leftOut) {
      problems.accept(
          "/metrics leaves out what would make its answer larger than it may be: "
              + leftOut.stream()
                  .map(metric -> metric.getMetadata().getPrometheusName())
                  .sorted()
                  .collect(Collectors.joining(", "))
              + ". Lower "
              + Keys.MAX_SERIES.name()
              + ", or give the JVM more heap: a sixteenth of it may be used for one answer, up to"
              + " 32 MiB");
    }
  }
}
