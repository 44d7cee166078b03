// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.data.SpanData;
import org.jspecify.annotations.Nullable;

/**
 * A record's span as the SDK's processors want it. Names and attributes are made by the one who
 * asks, which is the batch processor's own thread. Immutable.
 */
final class LateSpan implements ReadableSpan {
  private final RecordedSpan span;
  private final SpanLimits limits;

  LateSpan(RecordedSpan span, SpanLimits limits) {
    this.span = span;
    this.limits = limits;
  }

  @Override
  public SpanData toSpanData() {
    return new ExportedSpan(PlainSpan.of(span), limits);
  }

  @Override
  public SpanContext getSpanContext() {
    return span.getSpanContext();
  }

  @Override
  public SpanContext getParentSpanContext() {
    return span.getParentSpanContext();
  }

  @Override
  public String getName() {
    return span.getName();
  }

  @Override
  public SpanKind getKind() {
    return span.getKind();
  }

  @Override
  @Deprecated
  public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return span.getInstrumentationLibraryInfo();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return span.getInstrumentationScopeInfo();
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public long getLatencyNanos() {
    return span.getEndEpochNanos() - span.getStartEpochNanos();
  }

  @Override
  public <T> @Nullable T getAttribute(AttributeKey<T> key) {
    return getAttributes().get(key);
  }

  @Override
  public Attributes getAttributes() {
    return span.getAttributes();
  }
}
