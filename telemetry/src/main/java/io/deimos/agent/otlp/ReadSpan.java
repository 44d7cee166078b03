// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.EventData;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;

/** A span while it is read from bytes; afterwards a plain one is made of it. */
final class ReadSpan implements SpanData {
  private static final SpanKind[] KINDS = {
    SpanKind.INTERNAL,
    SpanKind.INTERNAL,
    SpanKind.SERVER,
    SpanKind.CLIENT,
    SpanKind.PRODUCER,
    SpanKind.CONSUMER
  };

  private final InstrumentationScopeInfo scope;
  private final Resource resource;
  String name = "";
  SpanContext context = SpanContext.getInvalid();
  SpanContext parent = SpanContext.getInvalid();
  long startEpochNanos;
  long endEpochNanos;
  Attributes attributes = Attributes.empty();
  List<EventData> events = List.of();
  List<LinkData> links = List.of();
  private SpanKind kind = SpanKind.INTERNAL;
  private StatusData status = StatusData.unset();

  ReadSpan(InstrumentationScopeInfo scope, Resource resource) {
    this.scope = scope;
    this.resource = resource;
  }

  void kind(long number) {
    kind = number >= 0 && number < KINDS.length ? KINDS[(int) number] : SpanKind.INTERNAL;
  }

  void status(long code, String message) {
    status =
        switch ((int) code) {
          case 1 -> StatusData.ok();
          case 2 -> StatusData.create(io.opentelemetry.api.trace.StatusCode.ERROR, message);
          default -> StatusData.unset();
        };
  }

  @Override
  public String getName() {
    return name;
  }

  @Override
  public SpanKind getKind() {
    return kind;
  }

  @Override
  public SpanContext getSpanContext() {
    return context;
  }

  @Override
  public SpanContext getParentSpanContext() {
    return parent;
  }

  @Override
  public StatusData getStatus() {
    return status;
  }

  @Override
  public long getStartEpochNanos() {
    return startEpochNanos;
  }

  @Override
  public long getEndEpochNanos() {
    return endEpochNanos;
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }

  @Override
  public List<EventData> getEvents() {
    return events;
  }

  @Override
  public List<LinkData> getLinks() {
    return links;
  }

  @Override
  public boolean hasEnded() {
    return true;
  }

  @Override
  public int getTotalRecordedEvents() {
    return events.size();
  }

  @Override
  public int getTotalRecordedLinks() {
    return links.size();
  }

  @Override
  public int getTotalAttributeCount() {
    return attributes.size();
  }

  @Override
  public InstrumentationScopeInfo getInstrumentationScopeInfo() {
    return scope;
  }

  @Override
  @Deprecated
  public io.opentelemetry.sdk.common.InstrumentationLibraryInfo getInstrumentationLibraryInfo() {
    return io.opentelemetry.sdk.common.InstrumentationLibraryInfo.create(
        scope.getName(), scope.getVersion());
  }

  @Override
  public Resource getResource() {
    return resource;
  }
}
