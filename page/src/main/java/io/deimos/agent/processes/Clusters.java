// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.Link;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.Nodes.Said;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.recorder.counts.ClusterLook;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The words of all processes on the page on their clusters, as one: the members and their states,
 * those whom somebody cannot reach, where singletons and shards are, what goes from whom to whom,
 * and what is not the same everywhere.
 *
 * <p>Views belong to one cluster if their systems have the same name and they have a member in
 * common. A process that is gone says nothing any more, but its address still names it.
 *
 * <p><b>Full.</b> At most {@value #MAX_CLUSTERS} clusters, {@value #MAX_MEMBERS} members of one,
 * and {@value #MAX_LINKS} links are looked at.
 */
final class Clusters {
  private static final int MAX_CLUSTERS = 32;
  private static final int MAX_MEMBERS = 2_000;
  private static final int MAX_LINKS = 100_000;
  private static final int MAX_HEAVY = 10;

  /** The state of a member in a view that does not have it. */
  static final String ABSENT = "absent";

  private final List<Said> all;
  private final Map<String, String> processes = new HashMap<>();
  private final List<One> clusters = new ArrayList<>();
  private final IdentityHashMap<ClusterLook, One> ofView = new IdentityHashMap<>();
  private final List<Link> links = new ArrayList<>();

  /** A cluster. */
  static final class One {
    final String system;
    final Map<String, Member> members = new TreeMap<>();
    final Map<String, Set<String>> singletons = new TreeMap<>();
    final Map<String, List<Region>> regions = new TreeMap<>();
    final Map<String, List<Heavy>> heavy = new TreeMap<>();
    private final List<ClusterLook> views = new ArrayList<>();
    private final Set<String> addresses = new HashSet<>();

    /** A number for clusters that should be one; see {@link ClashFinder}. */
    int family;

    One(String system) {
      this.system = system;
    }

    /** By what its members look for others. */
    Set<String> origins() {
      Set<String> origins = new HashSet<>();
      views.forEach(view -> origins.addAll(view.origins()));
      return origins;
    }
  }

  /** A member, as the members see it. */
  static final class Member {
    final String address;
    String status = "";
    String dataCenter = "";
    String version = "";
    int order = Integer.MAX_VALUE;
    List<String> roles = List.of();
    final Set<String> leads = new TreeSet<>();
    final Set<String> unreachableFrom = new TreeSet<>();

    /** The nodes that see it in another state. */
    final Map<String, String> seenAs = new TreeMap<>();

    boolean isLeader;

    Member(String address) {
      this.address = address;
    }
  }

  /** The shards of one type at one node. */
  record Region(String address, ClusterCard.Shards shards) {}

  /** A shard that gets much. */
  record Heavy(String address, ClusterCard.Heavy shard) {}

  /**
   * The messages from one node to another.
   *
   * @param from the sender's address; empty if it is in no cluster
   * @param process the sender
   */
  record Link(String from, String process, ClusterCard.Line line) {}

  /**
   * Something that is not the same everywhere.
   *
   * @param isSetting whether it is a setting of Deimos, and not a version
   * @param processes by its value, which is empty for a setting that is as by default
   */
  record Difference(String what, boolean isSetting, Map<String, List<String>> processes) {}

  Clusters(List<Said> all) {
    this.all = all;
    for (Said said : all) {
      ClusterCard card = said.cluster();
      if (card != null) {
        card.views().forEach(view -> processes.putIfAbsent(view.self(), idOf(said)));
        if (isLive(said)) {
          card.views().forEach(this::join);
          links(said, card);
        }
      }
    }
    for (One one : clusters) {
      members(one);
      one.views.forEach(view -> ofView.put(view, one));
    }
    for (Said said : all) {
      ClusterCard card = said.cluster();
      if (card != null && isLive(said)) {
        card.views().forEach(view -> parts(view, card));
      }
    }
    clusters.sort(Comparator.comparing(one -> one.system));
    clusters.forEach(
        one ->
            one.heavy
                .values()
                .forEach(
                    some ->
                        some.sort(
                            Comparator.comparingLong((Heavy heavy) -> heavy.shard.messages())
                                .reversed())));
    links.sort(Comparator.comparingDouble(link -> -link.line.messagesPerSecond()));
  }

  private static String idOf(Said said) {
    return said.node().card().id();
  }

  static boolean isLive(Said said) {
    return said.node().state() == Node.State.SERVES || said.node().state() == Node.State.JOINED;
  }

  List<Said> all() {
    return all;
  }

  /** By the names of their systems. */
  List<One> clusters() {
    return clusters;
  }

  /** The cluster that a view is of; null for one that is not looked at. */
  @Nullable One of(ClusterLook view) {
    return ofView.get(view);
  }

  /** The busiest first. */
  List<Link> links() {
    return links;
  }

  /** The process at an address; null if it is not on the page. */
  @Nullable String processAt(String address) {
    return processes.get(address);
  }

  /** Adds a view to the cluster that it is of; clusters that it connects become one. */
  private void join(ClusterLook view) {
    Set<String> addresses = new HashSet<>(Set.of(view.self()));
    view.members().forEach(member -> addresses.add(member.address()));
    One into = null;
    for (One one : List.copyOf(clusters)) {
      boolean isSame =
          one.system.equals(view.system()) && addresses.stream().anyMatch(one.addresses::contains);
      if (isSame && into == null) {
        into = one;
      } else if (isSame && into != null) {
        into.views.addAll(one.views);
        into.addresses.addAll(one.addresses);
        clusters.remove(one);
      }
    }
    if (into == null && clusters.size() < MAX_CLUSTERS) {
      into = new One(view.system());
      clusters.add(into);
    }
    if (into != null) {
      into.views.add(view);
      into.addresses.addAll(addresses);
    }
  }

  private static void members(One one) {
    Map<String, Map<String, Integer>> statuses = new HashMap<>();
    for (ClusterLook view : one.views) {
      for (ClusterLook.Member seen : view.members()) {
        Member member = one.members.get(seen.address());
        if (member == null && one.members.size() < MAX_MEMBERS) {
          member = new Member(seen.address());
          one.members.put(seen.address(), member);
        }
        if (member != null) {
          see(member, seen, view, statuses);
        }
      }
    }
    for (ClusterLook view : one.views) {
      differences(one, view);
      for (ClusterLook.Leader leader : view.leaders()) {
        Member member = one.members.get(leader.address());
        if (member != null && leader.role().isEmpty()) {
          member.isLeader = true;
        } else if (member != null) {
          member.leads.add(leader.role());
        }
      }
      for (ClusterLook.Unreachable unreachable : view.unreachable()) {
        Member member = one.members.get(unreachable.address());
        if (member != null) {
          member.unreachableFrom.addAll(
              unreachable.from().isEmpty() ? List.of(view.self()) : unreachable.from());
        }
      }
    }
  }

  /** A node's own word counts; else what most of the others say. */
  private static void see(
      Member member,
      ClusterLook.Member seen,
      ClusterLook view,
      Map<String, Map<String, Integer>> statuses) {
    Map<String, Integer> said =
        statuses.computeIfAbsent(member.address, any -> new LinkedHashMap<>());
    int weight = view.self().equals(member.address) ? MAX_MEMBERS : 1;
    int before = said.getOrDefault(member.status, 0);
    if (said.merge(seen.status(), weight, Integer::sum) > before) {
      member.status = seen.status();
    }
    member.dataCenter = seen.dataCenter();
    member.version = seen.version();
    member.order = Math.min(member.order, seen.order());
    member.roles = seen.roles();
  }

  private static void differences(One one, ClusterLook view) {
    Map<String, String> seen = new HashMap<>();
    view.members().forEach(member -> seen.put(member.address(), member.status()));
    for (Member member : one.members.values()) {
      String status = seen.getOrDefault(member.address, ABSENT);
      if (!status.equals(member.status)) {
        member.seenAs.put(view.self(), status);
      }
    }
  }

  /** Singletons and shards of one view's node. */
  private void parts(ClusterLook view, ClusterCard card) {
    One one = ofView.get(view);
    if (one == null) {
      return;
    }
    for (ClusterCard.Singleton singleton : card.singletons()) {
      if (singleton.system().equals(view.system())) {
        Set<String> places =
            one.singletons.computeIfAbsent(singleton.name(), any -> new LinkedHashSet<>());
        if (singleton.isHere()) {
          places.add(view.self());
        }
      }
    }
    for (ClusterCard.Shards shards : card.shards()) {
      if (shards.system().equals(view.system())) {
        one.regions
            .computeIfAbsent(shards.type(), any -> new ArrayList<>())
            .add(new Region(view.self(), shards));
      }
    }
    for (ClusterCard.Heavy heavy : card.heavy()) {
      if (heavy.system().equals(view.system())) {
        one.heavy
            .computeIfAbsent(heavy.type(), any -> new ArrayList<>())
            .add(new Heavy(view.self(), heavy));
      }
    }
  }

  /** The heaviest shards of a type. */
  static List<Heavy> heaviest(One one, String type) {
    List<Heavy> some = one.heavy.getOrDefault(type, List.of());
    return some.subList(0, Math.min(MAX_HEAVY, some.size()));
  }

  private void links(Said said, ClusterCard card) {
    for (ClusterCard.Line line : card.lines()) {
      if (links.size() < MAX_LINKS) {
        links.add(new Link(from(card, line.peer()), idOf(said), line));
      }
    }
  }

  /** The own address in the system of the same name, which a cluster's are. */
  private static String from(ClusterCard card, String peer) {
    int name = peer.indexOf("://") + 3;
    int end = peer.indexOf('@', name);
    String system = name < 3 || end < 0 ? "" : peer.substring(name, end);
    return card.views().stream()
        .filter(view -> view.system().equals(system))
        .map(ClusterLook::self)
        .findFirst()
        .orElse("");
  }

  /** Versions first, then settings. */
  List<Difference> differences() {
    List<Difference> found = new ArrayList<>();
    add(found, "Deimos", card -> card.process().versions().deimos());
    add(found, "Pekko", card -> card.process().versions().pekko());
    add(found, "JDK", card -> card.process().versions().jdk());
    Map<String, Map<String, List<String>>> settings = new TreeMap<>();
    List<Said> saying =
        all.stream().filter(said -> isLive(said) && said.cluster() != null).toList();
    for (Said said : saying) {
      ClusterCard card = said.cluster();
      if (card != null) {
        card.settings()
            .forEach(
                set ->
                    settings
                        .computeIfAbsent(set.key(), any -> new LinkedHashMap<>())
                        .computeIfAbsent(set.value(), any -> new ArrayList<>())
                        .add(idOf(said)));
      }
    }
    settings.forEach(
        (key, values) -> {
          Set<String> here = new HashSet<>();
          values.values().forEach(here::addAll);
          List<String> others =
              saying.stream().map(Clusters::idOf).filter(id -> !here.contains(id)).toList();
          if (!others.isEmpty()) {
            values.computeIfAbsent("", any -> new ArrayList<>()).addAll(others);
          }
          if (values.size() > 1) {
            found.add(new Difference(key, true, values));
          }
        });
    return found;
  }

  private void add(List<Difference> to, String what, Version version) {
    Map<String, List<String>> values = new LinkedHashMap<>();
    for (Said said : all) {
      String value = version.of(said.node().card());
      if (isLive(said) && !value.isEmpty() && !value.equals("null")) {
        values.computeIfAbsent(value, any -> new ArrayList<>()).add(idOf(said));
      }
    }
    if (values.size() > 1) {
      to.add(new Difference(what, false, values));
    }
  }

  private interface Version {
    String of(ProcessStatus card);
  }
}
