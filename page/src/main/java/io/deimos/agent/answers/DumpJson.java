// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.check.CheckResult;
import io.deimos.agent.check.Checks;
import io.deimos.agent.http.Answer;
import io.deimos.agent.json.Json;
import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.observer.ActorLine;
import io.deimos.agent.observer.ActorPage;
import io.deimos.agent.observer.ActorQuery;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.observer.OneActor;
import io.deimos.agent.observer.ThreadTable;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.processes.ClusterHandler;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.StoredTrace;
import io.deimos.agent.store.TraceQuery;
import io.deimos.agent.store.TraceStore;
import io.deimos.agent.store.TraceSummary;
import io.deimos.recorder.trouble.StuckWatch;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Writes a dump: the answers to all that the page asks, by their paths, as they are now. Actors are
 * the {@value #ACTORS} with the longest mailboxes, and the first {@value #WHOLE_ACTORS} of them
 * whole; traces the last {@value #TRACES}.
 */
final class DumpJson {
  static final int VERSION = 1;
  private static final int ACTORS = 10_000;
  private static final int WHOLE_ACTORS = 100;
  private static final int TRACES = 500;
  private static final int GROUPS = 1000;
  private static final ActorQuery BY_MAILBOX =
      new ActorQuery(ActorQuery.Sort.MAILBOX, true, List.of(), "", "", "", true);

  private final PageSource source;
  private final TraceStore store;
  private final TroubleHandler trouble;
  private final SettingsHandler settings;
  private final Answer.Body cluster;
  private final Supplier<Map<String, ClockOffset>> clocks;

  DumpJson(
      PageSource source,
      TraceStore store,
      TroubleHandler trouble,
      SettingsHandler settings,
      Answer.Body cluster,
      Supplier<Map<String, ClockOffset>> clocks) {
    this.cluster = cluster;
    this.clocks = clocks;
    this.source = source;
    this.store = store;
    this.trouble = trouble;
    this.settings = settings;
  }

  void writeTo(Json json) throws IOException {
    json.beginObject();
    json.name("deimosDump").value(VERSION);
    json.name("madeAtMillis").value(System.currentTimeMillis());
    json.name("answers").beginObject();
    new StateJson(source, store).writeTo(json.name("/api/state"));
    source.history().writeTo(json.name("/api/history"));
    StateJson.faults(json.name("/api/faults"));
    settings.writeTo(json);
    SystemJson.writeTo(json.name(SystemJson.PATH), source, source.accountant());
    cluster.writeTo(json.name(ClusterHandler.ROUTE.path()));
    check(json);
    threads(json);
    Observer observer = source.observer();
    if (observer != null) {
      actors(json, observer);
      trouble(json, observer);
    }
    traces(json);
    json.endObject().endObject();
  }

  private void check(Json json) throws IOException {
    Checks checks = source.checks();
    if (checks != null && checks.isOn()) {
      CheckResult found = checks.run(Scan.unbounded());
      CheckJson.writeTo(json.name(CheckHandler.PATH), found, found.findings());
    }
  }

  private static void threads(Json json) throws IOException {
    ThreadTable table = ThreadTable.now(line -> true, ThreadTable.MAX_THREADS);
    ThreadsJson.table(json.name(ThreadsHandler.PATH), table);
    for (ThreadTable.Pool pool : table.pools()) {
      for (ThreadTable.Line line : pool.threads()) {
        StackTraceElement[] stack = ThreadTable.stackOf(line.id());
        if (stack != null) {
          ThreadsJson.stack(json.name(ThreadsHandler.PATH + "/" + line.id()), stack);
        }
      }
    }
  }

  private void actors(Json json, Observer observer) throws IOException {
    ActorPage page = observer.page(BY_MAILBOX, 0, ACTORS, Scan.unbounded());
    ActorsJson.list(json.name(ActorsHandler.PATH), observer, source.checks(), page, 0, List.of());
    Set<String> paths = new HashSet<>();
    for (ActorLine line : page.lines().subList(0, Math.min(WHOLE_ACTORS, page.lines().size()))) {
      String id = Integer.toString(line.actor().id());
      OneActor actor = observer.actor(id, Scan.unbounded());
      if (actor != null) {
        // Two actor systems may have one name, and their actors one path.
        String known = paths.add(line.actor().path()) ? line.actor().path() : id;
        ActorsJson.one(json.name(ActorsHandler.PATH + "/" + known), actor);
      }
    }
  }

  private void trouble(Json json, Observer observer) throws IOException {
    List<TroubleGroup> groups = trouble.groups();
    TroubleJson.list(
        json.name(TroubleHandler.PATH),
        observer,
        StuckWatch.now(),
        groups,
        groups,
        TroubleHandler.MAX_GROUPS);
    for (TroubleGroup group : groups) {
      TroubleJson.one(
          json.name(TroubleHandler.PATH + "/" + TroubleJson.id(group)), observer, group);
    }
  }

  private void traces(Json json) throws IOException {
    List<TraceSummary> traces = store.latest(TRACES, false, TraceQuery.of(""));
    TraceJson.list(json.name("/api/traces"), traces, List.of());
    TraceGroupsJson.writeTo(
        json.name("/api/v1/traces/groups"),
        store.groups(GROUPS, false, TraceQuery.of("")),
        store.recorded(),
        store.share(),
        List.of());
    for (TraceSummary summary : traces) {
      StoredTrace trace = store.trace(summary.traceId());
      if (trace != null) {
        TraceJson.whole(
            json.name("/api/traces/" + summary.traceId()), trace, Integer.MAX_VALUE, clocks.get());
      }
    }
  }
}
