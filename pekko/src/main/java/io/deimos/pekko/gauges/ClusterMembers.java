// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.counts.ClusterLook;
import io.deimos.recorder.counts.Readings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.Reachability;
import org.apache.pekko.cluster.UniqueAddress;
import org.jspecify.annotations.Nullable;

/**
 * The members of the cluster, as this node sees them, with the leader, and those that somebody
 * cannot reach; nothing if the actor system is in no cluster. Pekko keeps the state for everybody
 * to read, and makes a new one when it changes; the look is made anew only then.
 */
final class ClusterMembers implements SystemGauges.Part {
  /** The beginning of a role that says in which data center a member is. */
  private static final String DATA_CENTER = "dc-";

  private final ExtendedActorSystem system;
  private @Nullable ClusterLook look;
  private ClusterEvent.@Nullable CurrentClusterState lookedAt;
  private @Nullable Reachability reached;

  ClusterMembers(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public String what() {
    return "the cluster's members";
  }

  @Override
  public void read(Readings into) {
    if (system.hasExtension(org.apache.pekko.cluster.Cluster$.MODULE$)) {
      Cluster cluster = Cluster.get(system);
      if (!cluster.isTerminated()) { // or it says for ever what it saw last
        into.add(look(cluster, cluster.state()));
      }
    }
  }

  @SuppressWarnings(
      "ReferenceEquality") // what is equal may be made anew, and to compare costs more
  private ClusterLook look(Cluster cluster, ClusterEvent.CurrentClusterState state) {
    Reachability reachability = cluster.readView().reachability();
    ClusterLook known = look;
    if (known == null || state != lookedAt || reachability != reached) {
      known = made(cluster, state, reachability);
      look = known;
      lookedAt = state;
      reached = reachability;
    }
    return known;
  }

  private ClusterLook made(
      Cluster cluster, ClusterEvent.CurrentClusterState state, Reachability reachability) {
    List<ClusterLook.Member> members = new ArrayList<>();
    int leftOut = 0;
    for (Member member : state.getMembers()) {
      if (members.size() < ClusterLook.MAX_MEMBERS) {
        members.add(
            new ClusterLook.Member(
                member.address().toString(),
                name(member.status()),
                member.dataCenter(),
                roles(member.getRoles()),
                member.appVersion().version(),
                member.upNumber()));
      } else {
        leftOut++;
      }
    }
    List<ClusterLook.Leader> leaders = new ArrayList<>();
    if (state.getLeader() != null) {
      leaders.add(new ClusterLook.Leader("", state.getLeader().toString()));
    }
    for (String role : roles(state.getAllRoles())) {
      Address leads = state.getRoleLeader(role);
      if (leads != null) {
        leaders.add(new ClusterLook.Leader(role, leads.toString()));
      }
    }
    return new ClusterLook(
        system.name(),
        cluster.selfAddress().toString(),
        List.copyOf(members),
        List.copyOf(leaders),
        unreachable(state, reachability),
        origins(cluster),
        leftOut);
  }

  /** The seed nodes of its configuration. */
  private static List<String> origins(Cluster cluster) {
    List<String> origins = new ArrayList<>();
    for (scala.collection.Iterator<Address> i = cluster.settings().SeedNodes().iterator();
        i.hasNext() && origins.size() < ClusterLook.MAX_NAMES; ) {
      origins.add(i.next().toString());
    }
    return List.copyOf(origins);
  }

  /** Those that this node counts as unreachable, and those that others do. */
  private static List<ClusterLook.Unreachable> unreachable(
      ClusterEvent.CurrentClusterState state, Reachability reachability) {
    Map<String, Set<String>> from = new HashMap<>();
    for (Member member : state.getUnreachable()) {
      from.put(member.address().toString(), new TreeSet<>());
    }
    for (scala.collection.Iterator<Reachability.Record> i = reachability.records().iterator();
        i.hasNext() && from.size() < ClusterLook.MAX_MEMBERS; ) {
      Reachability.Record one = i.next();
      if (!one.status().equals(Reachability.Reachable$.MODULE$)) {
        from.computeIfAbsent(address(one.subject()), subject -> new TreeSet<>())
            .add(address(one.observer()));
      }
    }
    List<ClusterLook.Unreachable> all = new ArrayList<>();
    from.forEach(
        (address, observers) -> all.add(new ClusterLook.Unreachable(address, first(observers))));
    return List.copyOf(all);
  }

  private static String address(UniqueAddress of) {
    return of.address().toString();
  }

  /** But for that of the data center, which is said apart. */
  private static List<String> roles(Set<String> all) {
    Set<String> roles = new TreeSet<>(all);
    roles.removeIf(role -> role.startsWith(DATA_CENTER));
    return first(roles);
  }

  private static List<String> first(Set<String> names) {
    return names.stream().sorted().limit(ClusterLook.MAX_NAMES).toList();
  }

  private static String name(MemberStatus status) {
    return status.toString().toLowerCase(Locale.ROOT);
  }
}
