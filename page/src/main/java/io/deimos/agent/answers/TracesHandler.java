// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.http.Answer;
import io.deimos.agent.log.Printable;
import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.routes.BadRequest;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Query;
import io.deimos.agent.routes.Route;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceComparison;
import io.deimos.agent.store.TraceGroups;
import io.deimos.agent.store.TraceQuery;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.store.TraceSummary;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** Answers {@code /api/v1/traces}: the traces in the store, or one of them. */
final class TracesHandler {
  static final String PATH = "/api/v1/traces";

  /** Where they were before the interface had versions. */
  static final String OLD_PATH = "/api/traces";

  private static final int TRACES = 100;
  private static final int MAX_TRACES = 1000;
  private static final int GROUPS_LISTED = 50;
  private static final int DIFFERENCES = 20;
  private static final int MAX_DIFFERENCES = 200;
  private static final int SPANS = 100_000;

  static final Parameter<TraceQuery> QUERY =
      Parameter.read("q", TraceQuery.GRAMMAR, TracesHandler::query);
  private static final Parameter<Boolean> ERRORS =
      Parameter.flag(
          "errors", "Only traces with a failure, a time-out, a dead letter or a stuck actor.");
  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", TRACES, 1, MAX_TRACES, "How many.");
  private static final Parameter<Integer> GROUP_LIMIT =
      Parameter.number("limit", GROUPS_LISTED, 1, MAX_TRACES, "How many names.");
  private static final Parameter<Integer> DIFFERENCE_LIMIT =
      Parameter.number("limit", DIFFERENCES, 1, MAX_DIFFERENCES, "How many differences.");
  private static final Parameter<Integer> SPAN_LIMIT =
      Parameter.number("limit", SPANS, 1, SPANS, "How many spans, the earliest first.");

  static final Route LIST =
      Route.at(
              PATH,
              "traces",
              "The traces that match a query",
              "Finds traces among those in memory, newest first: one trace is the way of a request"
                  + " through actors, HTTP and databases. Failed and slow ones are kept longest.")
          .note(
              "`/api/traces`, `/api/traces/ID` and `/api/settings`, the addresses before the"
                  + " interface had versions, answer the same. The page's search and `java -jar"
                  + " deimos.jar traces` take the same queries.")
          .asks(QUERY, ERRORS, LIMIT)
          .answers(TraceJson.LIST);

  static final Route GROUPS =
      Route.at(
              PATH + "/groups",
              "trace_groups",
              "The traces that match, added up",
              "Adds up the traces that match a query: by name with count, trouble, median and 99th"
                  + " percentile of the duration, and as histograms over duration and time. The"
                  + " place to begin when something is slow. These are of kept traces, of which"
                  + " failed and slow ones are kept longest; recorded has the same of all traces.")
          .note(
              "Figures beside `recorded` say what there is to look at. Those of `recorded` say what"
                  + " happened: a trace counts by its root span, and its duration and trouble when"
                  + " it has ended. Traces that were sampled out before are in neither.")
          .asks(QUERY, ERRORS, GROUP_LIMIT)
          .answers(TraceGroupsJson.GROUPS);

  static final Route COMPARE =
      Route.at(
              PATH + "/compare",
              "compare_traces",
              "The traces that match against the others",
              "Tells what sets the traces that match apart from the others of the same name, such as"
                  + " slow ones from the rest: attributes, processes, actors, messages, events with"
                  + " their share on both sides, the surest difference first. The place to go on"
                  + " when trace_groups shows that some traces of a name are slow or fail.")
          .note(
              "Compared are kept traces with the name that most of those that match have. A value"
                  + " counts once in each trace. `certain` is the bound nearest to zero of a 99.9 %"
                  + " confidence interval for the difference of the shares (Newcombe's hybrid score"
                  + " interval), so few traces do not rank first by chance; values without a certain"
                  + " difference, or of fewer than three traces, are not listed. An attribute has"
                  + " 1,024 values that are told apart, and all together 8,192; those that come first"
                  + " count. Numbers with a fraction and lists are not compared. Without `q` and"
                  + " `errors` all traces match, so there is nothing to compare them with.")
          .asks(QUERY, ERRORS, DIFFERENCE_LIMIT)
          .answers(TraceComparisonJson.COMPARISON);

  static final Route ONE =
      Route.at(
              PATH + "/{id}",
              "trace",
              "One trace",
              "Tells the spans of one trace: who processed which message, how long it waited, what"
                  + " failed, and what happened in HTTP and databases.")
          .named("The trace's id, 32 hexadecimal digits.")
          .note(
              "A trace that is not there has status 404, `error`, and `reason`: `no_id`, `to_come`,"
                  + " `put_out`, `not_taken` or `unknown`. Times of processes in `clocks` are"
                  + " [corrected](#get-apiv1cluster).")
          .asks(SPAN_LIMIT)
          .answers(TraceJson.ONE);

  private final TraceStore store;
  private final Supplier<Map<String, ClockOffset>> clocks;

  /**
   * @param clocks how the clocks of other processes go, by their ids
   */
  TracesHandler(TraceStore store, Supplier<Map<String, ClockOffset>> clocks) {
    this.store = store;
    this.clocks = clocks;
  }

  private static TraceQuery query(String text) {
    try {
      return TraceQuery.of(text);
    } catch (IllegalArgumentException e) {
      throw new BadRequest(Printable.shortLine(String.valueOf(e.getMessage())));
    }
  }

  void list(Call call, Answer answer) throws IOException {
    Query query = call.query();
    List<TraceSummary> traces =
        store.latest(LIMIT.of(query), ERRORS.of(query), QUERY.of(query), call.scan());
    answer.json(200, json -> TraceJson.list(json, traces, call.scan().notLookedAt()));
  }

  void groups(Call call, Answer answer) throws IOException {
    Query query = call.query();
    TraceGroups groups =
        store.groups(GROUP_LIMIT.of(query), ERRORS.of(query), QUERY.of(query), call.scan());
    answer.json(
        200,
        json ->
            TraceGroupsJson.writeTo(
                json, groups, store.recorded(), store.share(), call.scan().notLookedAt()));
  }

  void compare(Call call, Answer answer) throws IOException {
    Query query = call.query();
    TraceComparison compared =
        store.compare(DIFFERENCE_LIMIT.of(query), ERRORS.of(query), QUERY.of(query), call.scan());
    answer.json(
        200, json -> TraceComparisonJson.writeTo(json, compared, call.scan().notLookedAt()));
  }

  void one(Call call, Answer answer) throws IOException {
    String id = call.id();
    int limit = SPAN_LIMIT.of(call.query());
    StoredTrace trace = store.trace(id);
    if (trace == null) {
      answer.json(404, json -> TraceJson.absent(json, store.absence(id), store.limits()));
    } else {
      answer.json(200, json -> TraceJson.whole(json, trace, limit, clocks.get()));
    }
  }
}
