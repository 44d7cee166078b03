// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import io.deimos.agent.sdk.FileAdditions;
import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.logs.LogRecordProcessor;
import io.opentelemetry.sdk.metrics.export.MetricReader;
import io.opentelemetry.sdk.trace.SpanProcessor;

/** Parts of ours that an SDK asks for by name if a file configures it. */
public final class DeimosComponents {
  private DeimosComponents() {}

  /** Gives the page the spans of other instrumentations. */
  public static final class Spans implements ComponentProvider {
    @Override
    public Class<SpanProcessor> getType() {
      return SpanProcessor.class;
    }

    @Override
    public String getName() {
      return FileAdditions.PROCESSOR;
    }

    @Override
    public SpanProcessor create(DeclarativeConfigProperties config) {
      FileAdditions additions = DeimosRuntime.current().ofFile();
      return additions == null ? SpanProcessor.composite() : additions.spans();
    }
  }

  /** Notes log events on spans. */
  public static final class Logs implements ComponentProvider {
    @Override
    public Class<LogRecordProcessor> getType() {
      return LogRecordProcessor.class;
    }

    @Override
    public String getName() {
      return FileAdditions.PROCESSOR;
    }

    @Override
    public LogRecordProcessor create(DeclarativeConfigProperties config) {
      FileAdditions additions = DeimosRuntime.current().ofFile();
      return additions == null ? LogRecordProcessor.composite() : additions.logs();
    }
  }

  /** Reads metrics for the page. */
  public static final class PageMetrics extends Metrics {
    public PageMetrics() {
      super(FileAdditions.PAGE_READER);
    }
  }

  /** Reads metrics for the test kit. */
  public static final class TestMetrics extends Metrics {
    public TestMetrics() {
      super(FileAdditions.TEST_READER);
    }
  }

  private abstract static class Metrics implements ComponentProvider {
    private final String name;

    private Metrics(String name) {
      this.name = name;
    }

    @Override
    public final Class<MetricReader> getType() {
      return MetricReader.class;
    }

    @Override
    public final String getName() {
      return name;
    }

    @Override
    public final MetricReader create(DeclarativeConfigProperties config) {
      FileAdditions additions = DeimosRuntime.current().ofFile();
      if (additions == null) {
        throw new IllegalStateException(
            "Deimos is off, and with it the metric reader " + name + "; take it out of the file");
      }
      return additions.reader(name);
    }
  }
}
