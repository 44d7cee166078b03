// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.recorder.base.Faults;
import io.opentelemetry.exporter.internal.metrics.ExporterInstrumentation;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import java.lang.reflect.Field;
import org.jspecify.annotations.Nullable;

/**
 * The metrics that the SDK's exporter has of itself, fed with the requests that go past it: the
 * same names and attributes, and none where the SDK is configured to have none. Safe for any
 * thread.
 */
final class ExporterHealth {
  /** Without a known way to count, nothing is counted. */
  static final ExporterHealth NONE = new ExporterHealth(null);

  private final @Nullable ExporterInstrumentation exporter;

  private ExporterHealth(@Nullable ExporterInstrumentation exporter) {
    this.exporter = exporter;
  }

  /** The health of an exporter, which hides the metrics that it counts with. */
  static ExporterHealth of(SpanExporter exporter) {
    try {
      Object metrics = field(field(exporter, "delegate"), "exporterMetrics");
      return new ExporterHealth((ExporterInstrumentation) metrics);
    } catch (ReflectiveOperationException | RuntimeException | LinkageError e) {
      return NONE; // an SDK that counts in another way
    }
  }

  private static Object field(Object of, String name) throws ReflectiveOperationException {
    Field field = of.getClass().getDeclaredField(name);
    field.setAccessible(true);
    return field.get(of);
  }

  /** A request is about to be sent. If counting fails, the request goes on. */
  Sending begin(int spans) {
    try {
      return new Sending(exporter == null ? null : exporter.startRecordingExport(spans));
    } catch (Throwable t) {
      Faults.caught(t);
      return new Sending(null);
    }
  }

  /** One request, until it is known what became of it; of two ends only the first counts. */
  static final class Sending {
    private ExporterInstrumentation.@Nullable Recording recording;

    private Sending(ExporterInstrumentation.@Nullable Recording recording) {
      this.recording = recording;
    }

    void answered(OtlpReply reply) {
      ExporterInstrumentation.Recording of = end();
      if (of == null) {
        return;
      }
      try {
        reply.tell(of);
      } catch (Throwable t) {
        Faults.caught(t);
      }
    }

    void failed(Throwable error) {
      ExporterInstrumentation.Recording of = end();
      if (of != null) {
        try {
          of.finishFailed(error);
        } catch (Throwable t) {
          Faults.caught(t);
        }
      }
    }

    private synchronized ExporterInstrumentation.@Nullable Recording end() {
      ExporterInstrumentation.Recording of = recording;
      recording = null;
      return of;
    }
  }
}
