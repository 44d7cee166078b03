// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.context;

import io.deimos.recorder.trace.Trace;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The headers that go to other nodes and come from them beside a span's identity: the headers of
 * the W3C. Written in these always; read also by whatever {@code otel.propagators} names.
 */
final class RemoteHeaders {
  private static final TextMapPropagator W3C =
      TextMapPropagator.composite(
          W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance());

  @SuppressWarnings("deprecation") // keys must be there for propagators that still ask
  private static final TextMapGetter<Map<String, String>> GETTER =
      new TextMapGetter<>() {
        @Override
        public Iterable<String> keys(Map<String, String> carrier) {
          return carrier.keySet();
        }

        @Override
        public @Nullable String get(@Nullable Map<String, String> carrier, String key) {
          return carrier == null ? null : carrier.get(key);
        }
      };

  private RemoteHeaders() {}

  /** The span that a trace came with from outside of all actors, or null. */
  static @Nullable SpanContext below(Trace trace) {
    SpanContext below =
        trace.baseContext() instanceof Context base
            ? Span.fromContext(base).getSpanContext()
            : null;
    return below != null && Ids.isTrace(below, trace.hi(), trace.lo()) ? below : null;
  }

  /** Tracestate and baggage as names and values by turns, without those that are empty. */
  static @Nullable String[] of(Trace trace) {
    if (!(trace.baseContext() instanceof Context base)) {
      return new String[0];
    }
    Map<String, String> all = new LinkedHashMap<>();
    if (below(trace) != null) {
      W3CTraceContextPropagator.getInstance().inject(base, all, Map::put);
      all.remove("traceparent");
    }
    W3CBaggagePropagator.getInstance().inject(base, all, Map::put);
    return all.entrySet().stream()
        .flatMap(e -> java.util.stream.Stream.of(e.getKey(), e.getValue()))
        .toArray(String[]::new);
  }

  /** The context that another node sent. */
  static Context context(Map<String, String> headers, TextMapPropagator configured) {
    Context asConfigured = configured.extract(Context.root(), headers, GETTER);
    return Span.fromContext(asConfigured).getSpanContext().isValid()
        ? asConfigured
        : W3C.extract(asConfigured, headers, GETTER);
  }
}
