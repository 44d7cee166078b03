// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.http.Answer;
import io.deimos.agent.logs.LogBook;
import io.deimos.agent.logs.LogQuery;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.settings.KeptLevel;
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
}
