// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.processes.CorrectedTrace;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.span.RecordAttributes;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.store.TraceSummary;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the answers of {@code /api/traces} and {@code /api/traces/{traceId}}. */
final class TraceJson {
  /** A greater number would be another one in JavaScript; it goes as text. */
  private static final long MAX_EXACT = 1L << 53;

  private static final Schema SUMMARY =
      Schema.named("TraceSummary", "One trace of the list.")
          .with("traceId", Schema.hex(32, "Its id."))
          .with("name", Schema.text("The name of its root span, or of the earliest one."))
          .with("startEpochNanos", Schema.text("When it began: nanoseconds since 1970, as text."))
          .with("durationNanos", Schema.whole("From the first start to the last end."))
          .with("spans", Schema.whole("How many spans are kept."))
          .with("truncated", Schema.whole("Spans it has had beyond them."))
          .with(
              "reduced", Schema.flag("Whether only what shows its trouble is left, to save room."))
          .with("errors", Schema.whole("Spans that failed, time-outs aside."))
          .with("timeouts", Schema.whole("Spans that ended because time ran out."))
          .with("incidents", Schema.whole("Spans with a dead letter or a stuck actor in them."))
          .with("complete", Schema.flag("Whether all its spans are there."))
          .with("running", Schema.flag("Whether spans still come."))
          .with("nodes", Schema.whole("How many processes its spans come from."))
          .with(
              "actorClasses",
              Schema.list(
                  Schema.text(""),
                  "The classes of the actors in it, in order of their first message."));

  static final Schema LIST =
      Schema.named("Traces", "The traces that match.")
          .with("traces", Schema.list(SUMMARY, "Newest first."))
          .with("notLookedAt", Schema.NOT_LOOKED_AT);

  private static final Schema ATTRIBUTES = Schema.map(Schema.any(""), "Attributes by name.");

  private static final Schema SPAN =
      Schema.named("Span", "A message, an ask, an HTTP request, a database call and so on.")
          .with("spanId", Schema.hex(16, "Its id."))
          .with("parentSpanId", Schema.hex(16, "The id of the span that it is part of.").orNull())
          .with("name", Schema.text("Its name."))
          .with("node", Schema.text("The process it comes from, if not this one.").orNull())
          .with("kind", Schema.text("As OpenTelemetry has it: INTERNAL, CONSUMER and so on."))
          .with("scope", Schema.text("The instrumentation that made it."))
          .with("offsetNanos", Schema.whole("When it began, after the trace."))
          .with("durationNanos", Schema.whole("How long it took."))
          .with("waitNanos", Schema.whole("How long the message waited before.").orNull())
          .with("status", Schema.text("UNSET, OK or ERROR."))
          .with("statusMessage", Schema.text("Why it failed."))
          .with("attributes", ATTRIBUTES)
          .with(
              "events",
              Schema.list(
                  Schema.object("")
                      .with("name", Schema.text("Its name."))
                      .with("offsetNanos", Schema.whole("When, after the trace's start."))
                      .with("attributes", ATTRIBUTES),
                  "The events in it."))
          .with(
              "links",
              Schema.list(
                  Schema.object("")
                      .with("traceId", Schema.hex(32, "The other's trace."))
                      .with("spanId", Schema.hex(16, "The other.")),
                  "Spans it has to do with."));

  static final Schema ONE =
      Schema.named("Trace", "A trace with its spans.")
          .with("traceId", Schema.hex(32, "Its id."))
          .with("name", Schema.text("The name of its root span, or of the earliest one."))
          .with("complete", Schema.flag("Whether all its spans are there."))
          .with("running", Schema.flag("Whether spans still come."))
          .with("startEpochNanos", Schema.text("When it began: nanoseconds since 1970, as text."))
          .with("durationNanos", Schema.whole("From the first start to the last end."))
          .with("truncated", Schema.whole("Spans it has had beyond those that are kept."))
          .with(
              "reduced", Schema.flag("Whether only what shows its trouble is left, to save room."))
          .with(
              "clocks",
              Schema.list(
                  Schema.object("")
                      .with("node", Schema.text("A process whose times are corrected."))
                      .with("offsetNanos", Schema.whole("How far its clock is ahead."))
                      .with("errorNanos", Schema.whole("That is right within this.")),
                  "Clocks that differ from the page's."))
          .with("spansLeftOut", Schema.whole("Kept spans beyond the limit."))
          .with("spans", Schema.list(SPAN, "In the order of their start."));

  private TraceJson() {}

  static void list(Json json, List<TraceSummary> traces, List<String> notLookedAt)
      throws IOException {
    json.beginObject()
        .name("traces")
        .objects(
            traces,
            (to, trace) -> {
              to.name("traceId").value(trace.traceId());
              to.name("name").value(trace.name());
              to.name("startEpochNanos").value(Long.toString(trace.startEpochNanos()));
              to.name("durationNanos").value(trace.durationNanos());
              to.name("spans").value(trace.spans().kept());
              to.name("truncated").value(trace.spans().truncated());
              to.name("reduced").value(trace.extent().reduced());
              to.name("errors").value(trace.spans().errors());
              to.name("timeouts").value(trace.spans().timeouts());
              to.name("incidents").value(trace.spans().incidents());
              to.name("complete").value(trace.complete());
              to.name("running").value(trace.extent().running());
              to.name("nodes").value(trace.nodes());
              to.name("actorClasses").values(trace.actorClasses());
            })
        .name("notLookedAt")
        .values(notLookedAt)
        .endObject();
  }

  /**
   * @param clocks how the clocks of processes go, by their ids: times are shown by the page's
   */
  static void whole(Json json, StoredTrace trace, int limit, Map<String, ClockOffset> clocks)
      throws IOException {
    TraceSummary summary = trace.summary();
    CorrectedTrace corrected = CorrectedTrace.of(trace, clocks);
    json.beginObject();
    json.name("traceId").value(summary.traceId());
    json.name("name").value(summary.name());
    json.name("complete").value(summary.complete());
    json.name("running").value(summary.extent().running());
    json.name("startEpochNanos").value(Long.toString(corrected.startEpochNanos()));
    json.name("durationNanos").value(corrected.durationNanos());
    json.name("truncated").value(summary.spans().truncated());
    json.name("reduced").value(summary.extent().reduced());
    json.name("clocks")
        .objects(
            corrected.clocks().entrySet(),
            (to, clock) -> {
              to.name("node").value(clock.getKey());
              to.name("offsetNanos").value(clock.getValue().nanos());
              to.name("errorNanos").value(clock.getValue().errorNanos());
            });
    List<SpanData> spans = corrected.spans();
    json.name("spansLeftOut").value(Math.max(0, spans.size() - limit));
    json.name("spans")
        .objects(
            spans.subList(0, Math.min(limit, spans.size())),
            (to, span) -> span(to, span, corrected.startEpochNanos() + corrected.of(span)))
        .endObject();
  }

  /** Why a trace cannot be shown, for programs and in a sentence. */
  static void absent(Json json, TraceStore.Absence why, StoreLimits limits) throws IOException {
    String rate = "deimos.page.traces-per-second=" + limits.tracesPerSecond();
    String room = "deimos.page.spans-kept=" + limits.spansKept();
    String said =
        switch (why) {
          case NO_ID -> "That is not a trace id: 32 hexadecimal digits.";
          case TO_COME ->
              "An incident names this trace, but none of its spans has ended yet, or they were lost"
                  + " because a ring was full (see the spans dropped).";
          case PUT_OUT ->
              "This trace is not kept any more: it made room for others ("
                  + room
                  + ", "
                  + rate
                  + ").";
          case NOT_TAKEN ->
              "This trace was never taken: more traces began than the page takes (" + rate + ").";
          case UNKNOWN ->
              "This trace is not here. It belongs to another process, was never taken ("
                  + rate
                  + "), or made room for others long ago ("
                  + room
                  + ").";
        };
    json.beginObject();
    json.name("error").value(said);
    json.name("reason").value(why.name().toLowerCase(Locale.ROOT));
    json.endObject();
  }

  /**
   * @param traceStart by the clock of the span's process
   */
  private static void span(Json json, SpanData span, long traceStart) throws IOException {
    SpanContext parent = span.getParentSpanContext();
    Attributes attributes = span.getAttributes();
    Double stashSeconds = attributes.get(RecordAttributes.STASH_WAIT);
    Double waitSeconds =
        stashSeconds != null ? stashSeconds : attributes.get(RecordAttributes.MAILBOX_WAIT);
    json.name("spanId").value(span.getSpanContext().getSpanId());
    json.name("parentSpanId").value(parent.isValid() ? parent.getSpanId() : null);
    json.name("name").value(span.getName());
    json.name("node").value(span.getResource().getAttribute(TraceStore.NODE));
    json.name("kind").value(span.getKind().name());
    json.name("scope").value(span.getInstrumentationScopeInfo().getName());
    json.name("offsetNanos").value(span.getStartEpochNanos() - traceStart);
    json.name("durationNanos").value(span.getEndEpochNanos() - span.getStartEpochNanos());
    json.name("waitNanos").value(waitSeconds == null ? null : Math.round(waitSeconds * 1e9));
    json.name("status").value(span.getStatus().getStatusCode().name());
    json.name("statusMessage").value(span.getStatus().getDescription());
    attributes(json.name("attributes"), attributes);
    json.name("events")
        .objects(
            span.getEvents(),
            (to, event) -> {
              to.name("name").value(event.getName());
              to.name("offsetNanos").value(event.getEpochNanos() - traceStart);
              attributes(to.name("attributes"), event.getAttributes());
            });
    json.name("links")
        .objects(
            span.getLinks(),
            (to, link) -> {
              to.name("traceId").value(link.getSpanContext().getTraceId());
              to.name("spanId").value(link.getSpanContext().getSpanId());
            });
  }

  /**
   * Keys of the same name and different types are one member, since JSON knows no types of keys.
   */
  private static void attributes(Json json, Attributes attributes) throws IOException {
    Map<String, Object> byName = new LinkedHashMap<>();
    attributes.forEach((key, value) -> byName.putIfAbsent(key.getKey(), value));
    json.beginObject();
    for (Map.Entry<String, Object> entry : byName.entrySet()) {
      value(json.name(entry.getKey()), entry.getValue());
    }
    json.endObject();
  }

  private static void value(Json json, @Nullable Object value) throws IOException {
    if (value instanceof Long number && Math.abs(number) <= MAX_EXACT) {
      json.value(number);
    } else if (value instanceof Double number) {
      json.value(number);
    } else if (value instanceof Boolean flag) {
      json.value(flag);
    } else if (value instanceof List<?> list) {
      json.beginArray();
      for (Object element : list) {
        value(json, element);
      }
      json.endArray();
    } else {
      json.value(value == null ? null : value.toString());
    }
  }
}
