// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.cluster;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import java.util.List;
import java.util.function.Consumer;

/** Tells the clashes of one kind. */
public record ClusterRule(Clash.Kind kind, Finding.Severity severity, About about, String costs)
    implements Rule {
  private static final String LINK = "#/trouble?kind=cluster";

  private static final String RESOLVER =
      " Set pekko.cluster.downing-provider-class to"
          + " org.apache.pekko.cluster.sbr.SplitBrainResolverProvider on all nodes, and down nobody"
          + " by time or by hand before it has ended.";

  private static final List<Rule> ALL =
      List.of(
          new ClusterRule(
              Clash.Kind.ALIVE_TWICE,
              Finding.Severity.CRITICAL,
              About.of(
                  "alive-twice",
                  "One singleton or shard was alive on two nodes at once, as these said.",
                  "End the nodes of all sides but one, and let them join again." + RESOLVER,
                  Clash.Kind.ALIVE_TWICE.time()),
              "Both change the same state: writes overwrite each other, and journals get events"
                  + " with the same numbers."),
          new ClusterRule(
              Clash.Kind.VIEWS_DIFFER,
              Finding.Severity.WARNING,
              About.of(
                  "cluster-views-differ",
                  "Members of one cluster saw different leaders, or different members.",
                  "Mend the network between them, or end the nodes of one side, if no split-brain"
                      + " resolver does."
                      + RESOLVER,
                  Clash.Kind.VIEWS_DIFFER.time()),
              "Nobody can join or leave; singletons and shards of nodes that are missed stay"
                  + " away, or start a second time."),
          new ClusterRule(
              Clash.Kind.APART,
              Finding.Severity.CRITICAL,
              About.of(
                  "clusters-apart",
                  "Clusters of one name, which were one or look for the same nodes, had no member"
                      + " in common.",
                  "End all nodes of one of them, and start them again when they can reach the"
                      + " other. Give all nodes the same seed nodes in the same order, or have"
                      + " Cluster Bootstrap wait for all of them"
                      + " (contact-point-discovery.required-contact-point-nr).",
                  Clash.Kind.APART.time()),
              "Each has its own singletons, shards and entities, with the same names and data."));

  /** All rules about clusters. */
  public static List<Rule> all() {
    return ALL;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Clash clash : evidence.all(Clash.class)) {
      if (clash.kind() == kind) {
        found.accept(
            new Finding(
                about.id(),
                severity,
                kind == Clash.Kind.APART ? Finding.Sure.LIKELY : Finding.Sure.CERTAIN,
                clash.where(),
                clash.sinceMillis(),
                new Finding.Words(clash.says(), costs, about.advice()),
                LINK));
      }
    }
  }
}
