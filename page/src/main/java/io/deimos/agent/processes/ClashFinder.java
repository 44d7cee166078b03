// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.Nodes.Said;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.rules.cluster.Clash;
import io.deimos.recorder.counts.ClusterLook;
import io.deimos.recorder.counts.Readings;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds what nodes say at one time that cannot all be right, however long it lasts.
 *
 * <p>Clusters are of one family if their systems have the same name and they were one before, as
 * far as this page has seen; or if they look for each other: by a seed node in common, or by one
 * that is a member of the other. A singleton or a shard may be alive once in each data center of a
 * family.
 *
 * <p><b>Full.</b> {@value #MAX_HOMES} shards and singletons at a time, and the last {@value
 * #MAX_ADDRESSES} addresses of members. Belongs to one thread at a time.
 */
final class ClashFinder {
  private static final int MAX_HOMES = 20_000;
  private static final int MAX_ADDRESSES = 4_000;
  private static final int MAX_NAMES = 8;

  private final Map<String, Integer> families = new LinkedHashMap<>(16, 0.75f, true);
  private int lastFamily;
  private int homes;

  /**
   * The subject of claims.
   *
   * @param family of the nodes that may speak of it
   * @param name of a type of entities, of a singleton, or of a system
   * @param part of what is told as one: a shard, or a part of a view
   */
  record Topic(Clash.Kind kind, String family, String name, String part) {
    /** The shard or the singleton. */
    String id() {
      return part.isEmpty() ? name : part;
    }

    Topic whole() {
      return new Topic(kind, family, name, "");
    }
  }

  /**
   * The words of one node.
   *
   * @param side all who say the same are on one side
   * @param process its name and number
   * @param readAtNanos when the node saw that, by its own clock
   */
  record Claim(String side, String address, String process, String says, long readAtNanos) {}

  /** A node that lives, with its view of its cluster. */
  private record Node(
      String process, ClusterCard card, ClusterLook view, Clusters.One cluster, String dataCenter) {
    Claim claims(String side, String says) {
      return new Claim(side, view.self(), process, says, card.alive().readAtNanos());
    }
  }

  /** The claims of at least two sides on each topic. */
  Map<Topic, List<Claim>> find(List<Said> all) {
    Clusters clusters = new Clusters(all);
    List<Clusters.One> some =
        clusters.clusters().stream().filter(one -> !one.members.isEmpty()).toList();
    some.forEach(this::remember);
    relate(some);
    Map<Topic, List<Claim>> said = new LinkedHashMap<>();
    homes = 0;
    for (Said one : all) {
      ClusterCard card = one.cluster();
      if (card != null && Clusters.isLive(one)) {
        ProcessStatus.Identity process = one.node().card().process();
        String name = process.service() + ' ' + process.pid();
        card.views().forEach(view -> listen(name, card, view, clusters.of(view), said));
      }
    }
    said.values()
        .removeIf(claims -> claims.stream().map(Claim::side).distinct().limit(2).count() < 2);
    return said;
  }

  /** How many shards and singletons were not compared at the last look. */
  int homesLeftOut() {
    return Math.max(0, homes - MAX_HOMES);
  }

  /** One that is not up yet, or not any more, may lag behind; only what it has alive counts. */
  private void listen(
      String process,
      ClusterCard card,
      ClusterLook view,
      Clusters.@Nullable One cluster,
      Map<Topic, List<Claim>> said) {
    for (ClusterLook.Member self : view.members()) {
      if (cluster != null && self.address().equals(view.self())) {
        Node node = new Node(process, card, view, cluster, self.dataCenter());
        homes(node, said);
        if (self.status().equals("up") || self.status().equals("weaklyup")) {
          views(node, said);
        }
      }
    }
  }

  private void homes(Node node, Map<Topic, List<Claim>> said) {
    String self = node.view.self();
    String family = node.view.system() + ' ' + node.cluster.family + ' ' + node.dataCenter;
    for (Readings.Home home : node.card.alive().homes()) {
      if (home.address().equals(self)) {
        String type = home.type();
        boolean isShard = !type.isEmpty();
        Claim claim = node.claims(self, isShard ? "has shards of " + type : "runs it");
        for (String id : home.ids()) {
          if (++homes <= MAX_HOMES) {
            add(
                said,
                new Topic(Clash.Kind.ALIVE_TWICE, family, isShard ? type : id, isShard ? id : ""),
                claim);
          }
        }
      }
    }
  }

  /** Leaders are those of a data center. */
  private static void views(Node node, Map<Topic, List<Claim>> said) {
    ClusterLook view = node.view;
    String first = node.cluster.members.keySet().iterator().next();
    for (ClusterLook.Leader leader : view.leaders()) {
      if (leader.role().isEmpty()) {
        add(
            said,
            new Topic(Clash.Kind.VIEWS_DIFFER, first, view.system(), "leader " + node.dataCenter),
            node.claims(leader.address(), "sees the leader " + place(leader.address())));
      }
    }
    Set<String> seen = new TreeSet<>();
    view.members().forEach(member -> seen.add(member.address()));
    if (node.card.leftOut() == 0) { // or it may see more than it says
      add(
          said,
          new Topic(Clash.Kind.VIEWS_DIFFER, first, view.system(), "members"),
          node.claims(String.join(" ", seen), "sees the members " + names(seen)));
    }
    String looksFor = view.origins().isEmpty() ? "" : " and looks for " + names(view.origins());
    add(
        said,
        new Topic(Clash.Kind.APART, Integer.toString(node.cluster.family), view.system(), ""),
        node.claims(
            first, "is in a cluster of " + names(node.cluster.members.keySet()) + looksFor));
  }

  private static void add(Map<Topic, List<Claim>> said, Topic topic, Claim claim) {
    said.computeIfAbsent(topic, any -> new ArrayList<>(1)).add(claim);
  }

  /** Gives all members of a cluster its family from now on. */
  private void remember(Clusters.One cluster) {
    TreeSet<Integer> known = new TreeSet<>(); // or a new one
    for (String address : cluster.members.keySet()) {
      known.add(families.getOrDefault(address, lastFamily + 1));
    }
    int family = known.first();
    lastFamily = Math.max(lastFamily, family);
    if (known.size() > 1) {
      families.replaceAll((address, of) -> known.contains(of) ? family : of);
    }
    cluster.members.keySet().forEach(address -> families.put(address, family));
    while (families.size() > MAX_ADDRESSES) {
      families.remove(families.keySet().iterator().next());
    }
    cluster.family = family;
  }

  /** Has clusters of one name that look for each other be of one family, for this time. */
  private static void relate(List<Clusters.One> clusters) {
    for (Clusters.One one : clusters) {
      for (Clusters.One other : clusters) {
        if (one.family < other.family && one.system.equals(other.system) && meet(one, other)) {
          int from = other.family;
          clusters.stream()
              .filter(each -> each.family == from)
              .forEach(each -> each.family = one.family);
        }
      }
    }
  }

  private static boolean meet(Clusters.One one, Clusters.One other) {
    Set<String> origins = one.origins();
    Set<String> others = other.origins();
    return origins.stream().anyMatch(others::contains)
        || origins.stream().anyMatch(other.members::containsKey)
        || others.stream().anyMatch(one.members::containsKey);
  }

  /** Host and port. */
  static String place(String address) {
    return address.substring(address.lastIndexOf('@') + 1);
  }

  /** The first of them, and how many more there are. */
  static String names(Collection<String> addresses) {
    int more = addresses.size() - MAX_NAMES;
    return addresses.stream()
            .limit(MAX_NAMES)
            .map(ClashFinder::place)
            .collect(Collectors.joining(", "))
        + (more > 0 ? " and " + more + " more" : "");
  }
}
