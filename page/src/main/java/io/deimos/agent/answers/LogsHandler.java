// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.http.Answer;
import io.deimos.agent.json.Json;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.logs.LogQuery;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.routes.Schema;
import io.deimos.agent.settings.KeptLevel;
import io.deimos.recorder.hooks.KeptLogs;
import io.deimos.recorder.spans.LogLine;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Answers {@code /api/v1/logs}: the last records of the logs of an actor, a trace or a class. */
final class LogsHandler {
  static final String PATH = "/api/v1/logs";

  private static final int RECORDS = 100;
  private static final int MAX_RECORDS = 1000;
  private static final int TRACE_ID_CHARS = 32;
  private static final int HALF = TRACE_ID_CHARS / 2;

  private static final Parameter<String> ACTOR =
      Parameter.text("actor", "Only those of the actor with this path.");
  private static final Parameter<Optional<LogQuery.TraceOf>> TRACE =
      Parameter.read("trace", "Only those of the trace with this id.", LogsHandler::trace);
  private static final Parameter<String> CLASS =
      Parameter.text(
          "class",
          "Only those of actors of this class, or of a logger of this name; with or without the"
              + " package, * for any part.");
  private static final Parameter<String> LEVEL =
      Parameter.oneOf(
          "level", "debug", List.of("error", "warn", "info", "debug"), "The lowest level.");
  private static final Parameter<List<SearchTerm>> WORDS =
      Parameter.words(
          "q",
          "Words with spaces between them. Each has to be part of the text, of what was thrown, or"
              + " of the logger's name.");
  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", RECORDS, 1, MAX_RECORDS, "How many.");

  static final Route ROUTE =
      Route.at(
              PATH,
              "logs",
              "The last log records",
              "Lists the last log records of an actor, a trace, a class of actors or a logger."
                  + " Answers: what did it log before it failed, and which log line belongs to"
                  + " this span.")
          .note(
              "Records are kept from the level of `deimos.content.logs` on, of what actors and"
                  + " traces log through Logback, Log4j 2 or Pekko's classic logging. A page of its"
                  + " own keeps those that come as OTLP.")
          .asks(ACTOR, TRACE, CLASS, LEVEL, WORDS, LIMIT)
          .answers(LogsJson.LOGS);

  private final @Nullable LogBook book;

  LogsHandler(@Nullable LogBook book) {
    this.book = book;
  }

  void answer(Call call, Answer answer) throws IOException {
    Query query = call.query();
    LogQuery wanted =
        new LogQuery(
            ACTOR.of(query),
            CLASS.of(query),
            TRACE.of(query).orElse(null),
            KeptLevel.valueOf(LEVEL.of(query).toUpperCase(Locale.ROOT)).severity(),
            WORDS.of(query));
    int limit = LIMIT.of(query);
    LogBook from = book;
    if (from == null) {
      answer.json(200, LogsJson::writeTo);
      return;
    }
    LogBook.Found found = from.find(wanted, limit, call.scan());
    answer.json(200, json -> LogsJson.writeTo(json, from, found, call.scan().notLookedAt()));
  }

  private static Optional<LogQuery.TraceOf> trace(String id) {
    if (id.isEmpty()) {
      return Optional.empty();
    }
    if (!id.matches("[0-9a-f]{" + TRACE_ID_CHARS + "}")) {
      throw new BadRequest("trace: must be a trace id, which has 32 hexadecimal digits");
    }
    return Optional.of(
        new LogQuery.TraceOf(
            Long.parseUnsignedLong(id.substring(0, HALF), 16),
            Long.parseUnsignedLong(id.substring(HALF), 16)));
  }

  /** Writes the answer of {@code /api/v1/logs}. An unknown value is null. */
  private static final class LogsJson {
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
                                List.of("error", "warning", "info", "debug", "trace"),
                                "Its level."))
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
}
