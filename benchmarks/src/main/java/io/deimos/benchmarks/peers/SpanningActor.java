// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.peers;

import io.deimos.benchmarks.workload.CountingActor;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;

/**
 * The counting actor with OpenTelemetry written into it by hand: a span a message, made current
 * while the message is processed, then batched and dropped. Sender and context are not connected;
 * that would cost more.
 */
public final class SpanningActor extends CountingActor {
  private final Tracer tracer = Sdk.tracer(BatchSpanProcessor.builder(new NoExporter()).build());

  @Override
  public void onReceive(Object message) throws Exception {
    Span span = Sdk.start(tracer, message.getClass());
    Scope scope = span.makeCurrent();
    try {
      super.onReceive(message);
    } finally {
      scope.close();
      span.end();
    }
  }
}
