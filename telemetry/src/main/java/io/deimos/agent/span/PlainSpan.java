// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

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

/**
 * A finished span made of plain values: what made it may be forgotten. It holds no exception, no
 * actor and nothing else of the application's. Immutable.
 */
public final class PlainSpan implements SpanData {
  private final String name;
  private final SpanKind kind;
  private final SpanContext context;
  private final SpanContext parent;
  private final StatusData status;
  private final long startEpochNanos;
  private final long endEpochNanos;
  private final Attributes attributes;
  private final int totalAttributes;
  private final List<EventData> events;
  private final int totalEvents;
  private final List<LinkData> links;
  private final int totalLinks;
  private final InstrumentationScopeInfo scope;
  private final Resource resource;

  private PlainSpan(SpanData span, List<EventData> events) {
    this.name = span.getName();
    this.kind = span.getKind();
    this.context = span.getSpanContext();
    this.parent = span.getParentSpanContext();
    this.status = span.getStatus();
    this.startEpochNanos = span.getStartEpochNanos();
    this.endEpochNanos = span.getEndEpochNanos();
    this.attributes = span.getAttributes();
    // A record makes its attributes and links each time it is asked, and leaves none out.
    boolean whole = span instanceof RecordedSpan;
    this.totalAttributes = whole ? attributes.size() : span.getTotalAttributeCount();
    this.events = plain(events);
    this.totalEvents = span.getTotalRecordedEvents();
    this.links = List.copyOf(span.getLinks());
    this.totalLinks = whole ? links.size() : span.getTotalRecordedLinks();
    this.scope = span.getInstrumentationScopeInfo();
    this.resource = span.getResource();
  }

  private PlainSpan(Builder of) {
    this.name = of.name;
    this.kind = of.kind;
    this.context = of.context;
    this.parent = of.parent;
    this.status = of.status;
    this.startEpochNanos = of.startEpochNanos;
    this.endEpochNanos = of.endEpochNanos;
    this.attributes = of.attributes;
    this.totalAttributes = attributes.size();
    this.events = List.copyOf(of.events);
    this.totalEvents = events.size();
    this.links = List.copyOf(of.links);
    this.totalLinks = links.size();
    this.scope = of.scope;
    this.resource = of.resource;
  }

  public static PlainSpan of(SpanData span) {
    return new PlainSpan(span, span.getEvents());
  }

  /** Leaves the stack trace of a failed actor out: printing it is what costs. */
  public static PlainSpan withoutStackTrace(RecordedSpan span) {
    return new PlainSpan(span, span.eventsWithoutStackTrace());
  }

  /** Leaves the stack traces of a kept span out: they are what takes the room. */
  public static PlainSpan withoutStackTrace(SpanData span) {
    return new PlainSpan(span, span.getEvents().stream().map(PlainSpan::withoutStack).toList());
  }

  private static EventData withoutStack(EventData event) {
    return EventData.create(
        event.getEpochNanos(),
        event.getName(),
        event.getAttributes().toBuilder()
            .removeIf(key -> key.getKey().endsWith(".stacktrace"))
            .build(),
        event.getTotalAttributeCount());
  }

  private static List<EventData> plain(List<EventData> events) {
    return events.isEmpty() ? List.of() : events.stream().map(PlainSpan::plain).toList();
  }

  /** An SDK's exception event holds the exception beside its text. */
  private static EventData plain(EventData event) {
    return EventData.create(
        event.getEpochNanos(),
        event.getName(),
        event.getAttributes(),
        event.getTotalAttributeCount());
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
    return totalEvents;
  }

  @Override
  public int getTotalRecordedLinks() {
    return totalLinks;
  }

  @Override
  public int getTotalAttributeCount() {
    return totalAttributes;
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

  /** The values of a span that is read from elsewhere. */
  public static final class Builder {
    private final InstrumentationScopeInfo scope;
    private final Resource resource;
    private String name = "";
    private SpanKind kind = SpanKind.INTERNAL;
    private SpanContext context = SpanContext.getInvalid();
    private SpanContext parent = SpanContext.getInvalid();
    private StatusData status = StatusData.unset();
    private long startEpochNanos;
    private long endEpochNanos;
    private Attributes attributes = Attributes.empty();
    private List<EventData> events = List.of();
    private List<LinkData> links = List.of();

    public Builder(InstrumentationScopeInfo scope, Resource resource) {
      this.scope = scope;
      this.resource = resource;
    }

    public void named(String itsName, SpanKind itsKind) {
      name = itsName;
      kind = itsKind;
    }

    public void in(SpanContext itsContext, SpanContext itsParent) {
      context = itsContext;
      parent = itsParent;
    }

    public void status(StatusData its) {
      status = its;
    }

    public void lasted(long fromEpochNanos, long toEpochNanos) {
      startEpochNanos = fromEpochNanos;
      endEpochNanos = toEpochNanos;
    }

    public PlainSpan build(Attributes its, List<EventData> itsEvents, List<LinkData> itsLinks) {
      attributes = its;
      events = itsEvents;
      links = itsLinks;
      return new PlainSpan(this);
    }
  }
}
