// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.peers;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;

/**
 * Runs the program named inside an open span, for agents that pay only where there is a context to
 * hand on.
 */
public final class ActiveSpanLauncher {
  private ActiveSpanLauncher() {}

  public static void main(String[] args) throws Exception {
    Span span = GlobalOpenTelemetry.getTracer("benchmark").spanBuilder("benchmark").startSpan();
    if (!span.getSpanContext().isValid()) {
      throw new IllegalStateException("no agent has taken up the OpenTelemetry API");
    }
    Scope scope = span.makeCurrent();
    try {
      Launch.program(args);
    } finally {
      scope.close();
      span.end();
    }
  }
}
