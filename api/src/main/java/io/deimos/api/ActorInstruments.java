// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.api;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;

/**
 * Telemetry in an actor, see {@link Deimos#current}. All of it is OpenTelemetry's own: without an
 * agent or an SDK it does nothing.
 */
public final class ActorInstruments {
  private final String scope;

  ActorInstruments(String scope) {
    this.scope = scope;
  }

  /** The span of the message being processed; one that does nothing if it has none. */
  public Span span() {
    return Span.current();
  }

  /** The baggage of the message. */
  public Baggage baggage() {
    return Baggage.current();
  }

  /** Makes spans; those begun now are children of {@link #span}. */
  public Tracer tracer() {
    return GlobalOpenTelemetry.getTracer(scope);
  }

  /** Makes instruments of the application's own. */
  public Meter meter() {
    return GlobalOpenTelemetry.getMeter(scope);
  }
}
