// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.pipeline;

import io.deimos.agent.export.EndProcessors;
import io.deimos.agent.export.ExportCounts;
import io.deimos.agent.export.OtherExport;
import io.deimos.agent.export.Sinks;
import io.deimos.agent.export.SpanExport;
import io.deimos.agent.export.UnexportedCount;
import io.deimos.agent.otlp.DirectExport;
import io.deimos.agent.otlp.OtlpRoute;
import io.deimos.agent.sdk.SdkView;
import io.deimos.agent.span.ExceptionRecords;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.tail.OtherSink;
import io.deimos.agent.tail.TailSampler;
import io.deimos.agent.tap.SpanTap;
import io.deimos.recorder.housekeeping.Drainer;
import io.deimos.recorder.ring.SpanSink;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The way of spans from the rings to the exporter and the store. */
public final class SpanPath {
  /** How long a collector that does not answer may keep the store waiting. */
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Drainer drainer;
  private final @Nullable SpanExport export;
  private final @Nullable DirectExport direct;
  private final @Nullable TailSampler tail;

  /**
   * How spans are exported, and how that is counted.
   *
   * @param route the direct way to the collector; null to go through the SDK's processors
   * @param exportersCount whether the SDK's exporters count for themselves
   * @param onFailure told why a request on the direct way was given up
   * @param onWarning told what the collector says of one that it took whole
   */
  public record Export(
      @Nullable OtlpRoute route,
      ExportCounts counts,
      boolean exportersCount,
      Consumer<String> onFailure,
      Consumer<String> onWarning) {}

  /**
   * @param exemplars takes the spans that metrics lead to; told only of what is exported
   * @param sampling makes what decides late which spans are exported
   * @param observer told all spans; null if nobody follows single actors
   * @param tap told all spans; null if no test listens
   */
  public SpanPath(
      SdkView sdk,
      SpanSink exemplars,
      BiFunction<SpanSink, OtherSink, TailSampler> sampling,
      @Nullable TraceStore store,
      @Nullable SpanSink observer,
      @Nullable SpanTap tap,
      Export how) {
    List<SpanSink> sinks = new ArrayList<>();
    sinks.add(new ExceptionRecords());
    if (store != null) {
      sinks.add(store);
    }
    if (observer != null) {
      sinks.add(observer);
    }
    if (tap != null) {
      sinks.add(tap);
    }
    direct =
        how.route == null
            ? null
            : new DirectExport(
                how.route,
                sdk.resource(),
                sdk.limits(),
                how.counts,
                store == null ? Long.MAX_VALUE : PATIENCE_NANOS,
                how.onFailure,
                how.onWarning);
    if (direct != null) {
      export = null;
      tail = sampling.apply(new Sinks(List.of(exemplars, direct)), others(sdk));
      sinks.add(tail);
    } else if (sdk.processors().isEmpty()) {
      export = null;
      tail = null;
      sinks.add(exemplars);
      sinks.add(new UnexportedCount(how.counts, store != null));
    } else {
      export =
          new SpanExport(
              sdk.processors(),
              sdk.resource(),
              sdk.limits(),
              how.counts,
              how.exportersCount,
              EndProcessors.queueSize(sdk.processors()));
      tail = sampling.apply(new Sinks(List.of(exemplars, export)), others(sdk));
      sinks.add(tail);
    }
    drainer = new Drainer(new Sinks(sinks));
  }

  private static OtherSink others(SdkView sdk) {
    return new OtherExport(sdk.processors(), EndProcessors.queueSize(sdk.processors()));
  }

  public void start() {
    drainer.start();
  }

  /**
   * Waits until what was recorded so far has been handed over.
   *
   * @return false if that took longer
   */
  public boolean drain(long timeoutMillis) throws InterruptedException {
    return drainer.drain(timeoutMillis);
  }

  /** The JVM is about to end, perhaps at once: from now on nothing waits for a batch to be full. */
  public void closing() {
    if (direct != null) {
      direct.closing();
    }
  }

  /** Whether spans leave the process. */
  public boolean isExporting() {
    return export != null || direct != null;
  }

  /**
   * Hands over what was recorded so far, and then no more.
   *
   * @param timeoutMillis 1 or more
   * @return false if there was not time enough
   */
  public boolean drainLast(long timeoutMillis) {
    closing();
    if (tail != null) {
      tail.closing(timeoutMillis);
    }
    Deadline deadline = Deadline.in(timeoutMillis);
    boolean isDrained = false;
    try {
      isDrained = drainer.drain(timeoutMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    boolean hasEnded = drainer.close(deadline.leftMillis(0));
    if (tail != null && hasEnded) {
      tail.drained();
    } else if (tail != null) {
      tail.abandoned();
    }
    return isDrained;
  }

  /**
   * Waits until what was handed over has been exported. Only after {@link #drainLast}.
   *
   * @param timeoutMillis 1 or more
   * @return false if there was not time enough; the rest is counted as unfinished
   */
  public boolean exportLast(long timeoutMillis) {
    boolean isExported = export == null || export.awaitExport(timeoutMillis);
    return (direct == null || direct.awaitExport(timeoutMillis)) && isExported;
  }
}
