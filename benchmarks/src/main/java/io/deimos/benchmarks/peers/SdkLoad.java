// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.peers;

import io.deimos.benchmarks.workload.Arguments;
import io.deimos.benchmarks.workload.LoadCommands;
import io.deimos.benchmarks.workload.Pace;
import io.deimos.benchmarks.workload.Work;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.io.IOException;
import java.time.Duration;

/**
 * Spans from a plain loop, with no actor and no message in the way, into the SDK's batch processor
 * and OTLP exporter: the best the SDK can do. {@code --queue} and {@code --batch} default to the
 * SDK's own defaults.
 */
public final class SdkLoad {
  private SdkLoad() {}

  public static void main(String[] args) throws IOException, InterruptedException {
    Arguments arguments = new Arguments(args);
    OtlpHttpSpanExporter exporter =
        OtlpHttpSpanExporter.builder()
            .setEndpoint(arguments.string("endpoint", "") + "/v1/traces")
            .build();
    BatchSpanProcessor processor =
        BatchSpanProcessor.builder(exporter)
            .setMaxQueueSize(arguments.integer("queue", 2_048))
            .setMaxExportBatchSize(arguments.integer("batch", 512))
            .setScheduleDelay(Duration.ofMillis(arguments.integer("delay-millis", 100)))
            .build();
    Tracer tracer = Sdk.tracer(processor);
    LoadCommands.serve(
        (perSecond, seconds) -> Pace.run(perSecond, seconds, count -> spans(tracer, count)));
  }

  private static void spans(Tracer tracer, int count) {
    for (int i = 0; i < count; i++) {
      Sdk.start(tracer, Work.class).end();
    }
  }
}
