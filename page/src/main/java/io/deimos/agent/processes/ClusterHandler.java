// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.http.Answer;
import io.deimos.agent.json.Json;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.Nodes;
import io.deimos.agent.nodes.Nodes.Said;
import io.deimos.agent.routes.Call;
import io.deimos.agent.routes.Parameter;
import io.deimos.agent.routes.Route;
import io.deimos.agent.source.PageSource;
import io.deimos.agent.store.TraceStore;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Answers {@code /api/v1/cluster}: what all processes on the page say of their clusters, as one. An
 * answer is made anew after a second, and after 20 times as long as it took to make.
 */
public final class ClusterHandler {
  private static final long LEAST_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int REST = 20;
  private static final int LINKS = 200;
  private static final int MAX_LINKS = 2_000;

  private static final Parameter<Integer> LIMIT =
      Parameter.number("limit", LINKS, 1, MAX_LINKS, "How many links, the busiest first.");

  public static final Route ROUTE =
      Route.at(
              "/api/v1/cluster",
              "cluster",
              "The cluster, as all its nodes see it",
              "Tells the members of the cluster with their state, who cannot reach whom, the"
                  + " leader, where singletons and shards are, what goes from node to node, how far"
                  + " the nodes' clocks differ, and which versions and settings are not the same"
                  + " everywhere.")
          .note(
              "Each process says what it knows every two seconds; nobody is asked, and no message"
                  + " goes to an actor. It reads the state that Pekko's cluster keeps for"
                  + " everybody, so the gauges must be on (`deimos.metrics.gauges.enabled`).")
          .note(
              "Processes exchange stamps with the page each second, as NTP does; the shortest round"
                  + " trip of the last 32 counts. A trace is shown by the page's clock: times of a"
                  + " process whose offset is greater than its error are corrected. Kept, listed and exported times are not.")
          .note("An answer is kept for a second, and for 20 times as long as it took to make.")
          .asks(LIMIT)
          .answers(ClusterJson.ANSWER);

  private final PageSource source;
  private final TraceStore store;
  private final @Nullable Nodes nodes;
  private @Nullable Made made;

  private record Made(Clusters clusters, Transits transits, long untilNanos) {}

  /**
   * @param nodes the processes on this page; null if this one is alone
   */
  public ClusterHandler(PageSource source, TraceStore store, @Nullable Nodes nodes) {
    this.source = source;
    this.store = store;
    this.nodes = nodes;
  }

  public void answer(Call call, Answer answer) throws IOException {
    int limit = LIMIT.of(call.query());
    answer.json(200, json -> writeTo(json, limit));
  }

  /** As many links as there may be. */
  public void writeTo(Json json) throws IOException {
    writeTo(json, MAX_LINKS);
  }

  private void writeTo(Json json, int limit) throws IOException {
    Made now = now();
    ClusterJson.writeTo(json, now.clusters, now.transits, limit);
  }

  private synchronized Made now() {
    Made known = made;
    long began = System.nanoTime();
    if (known == null || began - known.untilNanos >= 0) {
      Nodes all = nodes;
      Clusters clusters = new Clusters(said());
      Transits transits =
          Transits.of(
              store,
              all == null ? "" : all.own().card().id(),
              all == null ? Map.of() : all.clocks());
      long took = System.nanoTime() - began;
      known = new Made(clusters, transits, began + Math.max(LEAST_NANOS, REST * took));
      made = known;
    }
    return known;
  }

  private List<Said> said() {
    Nodes all = nodes;
    if (all == null) {
      Node alone = new Node(SelfCard.of("", source, store), Node.State.SERVES, 0, 0, 0, 0, null);
      return List.of(new Said(alone, SelfCluster.of(source)));
    }
    return ClusterWatch.said(source, all);
  }
}
