// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.http.Reply;
import io.deimos.agent.nodes.ClockOffset;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.processes.ClusterHandler;
import io.deimos.agent.processes.NodesHandler;
import io.deimos.agent.routes.Endpoints;
import io.deimos.agent.routes.OpenApi;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.source.PageHistory;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The interface of the page: its routes, in the order of its document, and what answers each. */
public final class PageApi {
  private final Accountant accountant;
  private final PageAccess access;
  private final PageSource source;
  private final TraceStore store;
  private final TroubleHandler trouble;
  private final Endpoints endpoints;

  /**
   * @param accountant keeps account of what requests take
   * @param nodes the processes on this page; null where there can be no other
   * @param processes answers for them; null where there can be no other
   * @param asker asks this page: a path with its query, and more lines of the request's head
   */
  public PageApi(
      Accountant accountant,
      PageAccess access,
      PageSource source,
      TraceStore store,
      @Nullable Nodes nodes,
      @Nullable NodesHandler processes,
      BiFunction<String, String, Reply> asker) {
    this.accountant = accountant;
    this.access = access;
    this.source = source;
    this.store = store;
    this.trouble = new TroubleHandler(source, store, nodes);
    this.endpoints = new Endpoints(accountant);
    addOfThisProcess(nodes);
    if (processes != null) {
      endpoints
          .add(NodesHandler.LIST, (call, answer) -> answer.json(200, processes::list))
          .add(NodesHandler.ABOUT, (call, answer) -> answer.json(200, processes::about));
    }
    endpoints
        .add(
            UpdatesHandler.ROUTE,
            new UpdatesHandler(access, accountant.answers(), asker::apply)::answer)
        .add(
            OpenApi.ROUTE,
            (call, answer) -> answer.json(200, json -> OpenApi.writeTo(json, endpoints.routes())));
  }

  private void addOfThisProcess(@Nullable Nodes joined) {
    Supplier<Map<String, ClockOffset>> clocks = () -> joined == null ? Map.of() : joined.clocks();
    SettingsHandler settings = new SettingsHandler(access, source.settings());
    TapHandler tap = new TapHandler(source.observer());
    ActorsHandler actors = new ActorsHandler(source.observer(), source.checks());
    TracesHandler traces = new TracesHandler(store, clocks);
    ClusterHandler cluster = new ClusterHandler(source, store, joined);
    DumpHandler dump =
        new DumpHandler(
            access, new DumpJson(source, store, trouble, settings, cluster::writeTo, clocks));
    endpoints
        .addSearch(ActorsHandler.LIST, false, actors::list)
        .addSearch(ActorsHandler.ONE, true, actors::one)
        .addSearch(ActorsHandler.INSIDE, false, actors::inside)
        .add(TroubleHandler.LIST, trouble::list)
        .add(TroubleHandler.ONE, trouble::one)
        .addSearch(MapHandler.ROUTE, true, new MapHandler(source.observer(), store)::answer)
        .addSearch(
            WhereHandler.ROUTE,
            true,
            (call, answer) -> new WhereHandler(source.observer(), store).answer(call, answer))
        .add(TapHandler.OPEN, (call, answer) -> tap.answer(call.request(), answer))
        .add(TapHandler.ONE, (call, answer) -> tap.answer(call.request(), answer))
        .add(
            ProfileHandler.ROUTE,
            (call, answer) -> new ProfileHandler(source).answer(call.request(), answer))
        .addSearch(LogsHandler.ROUTE, false, new LogsHandler(source.logs())::answer)
        .addSearch(TracesHandler.LIST, true, traces::list)
        .addSearch(TracesHandler.GROUPS, true, traces::groups)
        .addSearch(TracesHandler.COMPARE, true, traces::compare)
        .add(TracesHandler.ONE, traces::one)
        .alsoAt(TracesHandler.OLD_PATH, TracesHandler.LIST, traces::list)
        .alsoAt(TracesHandler.OLD_PATH + "/{id}", TracesHandler.ONE, traces::one)
        .addSearch(CheckHandler.ROUTE, false, new CheckHandler(source)::answer)
        .add(ThreadsHandler.LIST, ThreadsHandler::list)
        .add(ThreadsHandler.ONE, ThreadsHandler::one)
        .add(
            SystemJson.ROUTE,
            (call, answer) ->
                answer.json(200, json -> SystemJson.writeTo(json, source, accountant)))
        .add(ClusterHandler.ROUTE, cluster::answer)
        .add(DumpHandler.ROUTE, dump::answer)
        .add(SettingsHandler.READ, settings::show)
        .add(SettingsHandler.CHANGE, settings::change)
        .alsoAt(SettingsHandler.OLD_PATH, SettingsHandler.READ, settings::show)
        .alsoAt(SettingsHandler.OLD_PATH, SettingsHandler.CHANGE, settings::change)
        .addUntold(
            StateJson.ROUTE,
            (call, answer) -> answer.json(200, new StateJson(source, store)::writeTo))
        .addUntold(PageHistory.ROUTE, (call, answer) -> answer.json(200, source.history()::writeTo))
        .addUntold(StateJson.FAULTS, (call, answer) -> answer.json(200, StateJson::faults));
  }

  public Endpoints endpoints() {
    return endpoints;
  }

  /** The trouble of this process. */
  public List<TroubleGroup> trouble() {
    return trouble.groups();
  }

  /** Why the page of another process gets no answer to this; null if it does. */
  public static @Nullable String notPassedOn(String path) {
    return path.equals(DumpHandler.PATH) ? DumpHandler.NOT_PASSED_ON : null;
  }
}
