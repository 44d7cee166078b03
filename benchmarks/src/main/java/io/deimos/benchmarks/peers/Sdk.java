// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.peers;

import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;

/**
 * The span one would write by hand: the name, kind and attributes that the product's own spans
 * have.
 */
final class Sdk {
  private static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
  private static final AttributeKey<String> OPERATION =
      AttributeKey.stringKey("messaging.operation.type");
  private static final AttributeKey<String> DESTINATION =
      AttributeKey.stringKey("messaging.destination.template");
  private static final AttributeKey<String> PATH = AttributeKey.stringKey("pekko.actor.path");
  private static final AttributeKey<String> MESSAGE = AttributeKey.stringKey("pekko.message.class");

  private Sdk() {}

  static Tracer tracer(SpanProcessor processor) {
    return SdkTracerProvider.builder().addSpanProcessor(processor).build().get("benchmark");
  }

  static Span start(Tracer tracer, Class<?> messageClass) {
    return tracer
        .spanBuilder("process " + messageClass.getSimpleName())
        .setSpanKind(SpanKind.CONSUMER)
        .setAttribute(SYSTEM, "pekko")
        .setAttribute(OPERATION, "process")
        .setAttribute(DESTINATION, "/user/counter")
        .setAttribute(PATH, "pekko://benchmark/user/counter")
        .setAttribute(MESSAGE, messageClass.getName())
        .startSpan();
  }
}
