// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.json.Json;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.routes.Schema;
import io.deimos.recorder.hooks.KeptLogs;
import io.deimos.recorder.spans.LogLine;
import java.io.IOException;
import java.util.List;

/** Writes the answer of {@code /api/v1/logs}. An unknown value is null. */
final class LogsJson {
  static final Schema LOGS =
      Schema.named("Logs", "The last records of logs that match, the latest first.")
          .with("nowMillis", Schema.whole("The server's clock."))
          .with("kept", Schema.flag("Whether records are kept: see deimos.content.logs."))
          .with("total", Schema.whole("How many match."))
          .with("looked", Schema.whole("How many records were looked at."))
          .with("sinceMillis", Schema.whole("When the oldest of these was logged.").orNull())
          .with("letGo", Schema.whole("Records that had to make room for later ones."))
          .with(
              "leftOut",
              Schema.whole("Records that were not kept, since more came in a second than are."))
          .with("notLookedAt", Schema.NOT_LOOKED_AT)
          .with(
              "records",
              Schema.list(
                  Schema.named("LogRecord", "One record of a log.")
                      .with("atMillis", Schema.whole("When it was logged."))
                      .with(
                          "level",
                          Schema.oneOf(
                              List.of("error", "warning", "info", "debug", "trace"), "Its level."))
                      .with("logger", Schema.text("The logger's name."))
                      .with(
                          "text",
                          Schema.text(
                              "Its text, as the library has formatted it. Values that it has not"
                                  + " formatted are the names of their classes, in brackets."))
                      .with(
                          "thrown",
                          Schema.text("Class and message of what was logged along.").orNull())
                      .with("actorPath", Schema.text("The path of the actor.").orNull())
                      .with("actorClass", Schema.text("Its class.").orNull())
                      .with(
                          "service",
                          Schema.text("The service that sent it as OTLP; null for this process.")
                              .orNull())
                      .with("traceId", Schema.hex(32, "Its trace.").orNull())
                      .with("spanId", Schema.hex(16, "Its span.").orNull()),
                  "At most as many as asked for."));

  private LogsJson() {}

  /** None are kept. */
  static void writeTo(Json json) throws IOException {
    writeTo(json, false, 0, new LogBook.Found(List.of(), 0, 0, 0), List.of());
  }

  static void writeTo(Json json, LogBook book, LogBook.Found found, List<String> notLookedAt)
      throws IOException {
    writeTo(json, true, book.letGo(), found, notLookedAt);
  }

  private static void writeTo(
      Json json, boolean kept, long letGo, LogBook.Found found, List<String> notLookedAt)
      throws IOException {
    json.beginObject();
    json.name("nowMillis").value(System.currentTimeMillis());
    json.name("kept").value(kept);
    json.name("total").value(found.matching());
    json.name("looked").value(found.looked());
    json.name("sinceMillis").value(found.sinceMillis() == 0 ? null : found.sinceMillis());
    json.name("letGo").value(letGo);
    json.name("leftOut").value(KeptLogs.leftOut());
    json.name("notLookedAt").values(notLookedAt);
    json.name("records").objects(found.lines(), LogsJson::line).endObject();
  }

  private static void line(Json json, LogLine line) throws IOException {
    LogLine.Place place = line.place();
    SpanRef span = SpanRef.of(place.traceHi(), place.traceLo(), place.spanId());
    json.name("atMillis").value(line.epochMillis());
    json.name("level").value(line.level());
    json.name("logger").value(line.logger());
    json.name("text").value(line.text());
    json.name("thrown").value(line.thrown());
    json.name("actorPath").orNull(place.actorPath());
    json.name("actorClass").orNull(place.actorClass());
    json.name("service").orNull(place.service());
    json.name("traceId").value(span == null ? null : span.traceHex());
    json.name("spanId").value(span == null || span.spanId() == 0 ? null : span.spanHex());
  }
}
