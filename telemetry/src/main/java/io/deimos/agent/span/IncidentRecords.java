// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.span;

import io.deimos.agent.log.IncidentNews;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import io.opentelemetry.api.logs.LogRecordBuilder;
import io.opentelemetry.api.logs.Logger;
import io.opentelemetry.api.logs.LoggerProvider;
import io.opentelemetry.api.logs.Severity;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Locale;
import java.util.StringJoiner;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hands incidents to the SDK's logger as log records with the name of an event and the context of
 * the span they belong to; so they take the way of the user's own logs. Before the SDK is there,
 * they are dropped.
 *
 * <p><b>Threads.</b> {@link #write} on one of ours; the user's processors run there.
 */
public final class IncidentRecords implements IncidentNews.Writer {
  private static final int FACTS_IN_BODY = 3;

  private volatile @Nullable Logger logger;

  /** Where records go from now on. */
  public void connect(LoggerProvider provider) {
    logger = Scope.logger(provider);
  }

  @Override
  public void write(Incident incident, long leftOut) {
    Logger to = logger;
    if (to == null) {
      return;
    }
    EventName event = incident.event();
    LogRecordBuilder built =
        to.logRecordBuilder()
            .setEventName(event.id())
            .setTimestamp(Clock.epochNanos(incident.atNanos()), TimeUnit.NANOSECONDS)
            .setSeverity(severity(event))
            .setSeverityText(severity(event).name())
            .setBody(body(incident))
            .setAllAttributes(RecordEvents.attributes(incident))
            .setContext(context(incident));
    if (leftOut > 0) {
      built.setAttribute(Names.whole(Attribute.SUPPRESSED), leftOut);
    }
    built.emit();
  }

  private static Severity severity(EventName event) {
    return switch (event) {
      case FAILED, PROCESS_EXCEPTION -> Severity.ERROR;
      case MEMBER_CHANGED, MEMBER_REACHABLE -> Severity.INFO;
      default -> Severity.WARN;
    };
  }

  /** For people who read logs as lines: what happened, and the first facts. */
  private static String body(Incident incident) {
    String id = incident.event().id();
    StringJoiner body =
        new StringJoiner(
            ", ", id.substring(id.indexOf('.') + 1).replaceAll("[._]", " ") + ": ", "");
    body.setEmptyValue(id.toLowerCase(Locale.ROOT));
    incident.facts().values().stream()
        .filter(fact -> !fact.contains("\n"))
        .limit(FACTS_IN_BODY)
        .forEach(body::add);
    return body.toString();
  }

  private static Context context(Incident incident) {
    if ((incident.traceHi() | incident.traceLo()) == 0) {
      return Context.root();
    }
    return Context.root()
        .with(
            Span.wrap(
                SpanContext.create(
                    TraceId.fromLongs(incident.traceHi(), incident.traceLo()),
                    SpanId.fromLong(incident.spanId()),
                    TraceFlags.getSampled(),
                    TraceState.getDefault())));
  }
}
