// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import java.util.Locale;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.ClusterEvent;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.remote.DefaultFailureDetectorRegistry;
import org.apache.pekko.remote.FailureDetector;
import org.apache.pekko.remote.PhiAccrualFailureDetector;

/** The cluster as this node sees it; nothing if the actor system is in none. */
final class ClusterState implements SystemGauges.Part {
  private static final MemberStatus[] STATUSES = {
    MemberStatus.joining(),
    MemberStatus.weaklyUp(),
    MemberStatus.up(),
    MemberStatus.leaving(),
    MemberStatus.exiting(),
    MemberStatus.down()
  };

  private static final double MAX_PHI = 1000;

  private final ExtendedActorSystem system;

  ClusterState(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public String what() {
    return "the cluster";
  }

  @Override
  public void read(Readings into) {
    if (!system.hasExtension(org.apache.pekko.cluster.Cluster$.MODULE$)) {
      return;
    }
    Cluster cluster = Cluster.get(system);
    ClusterEvent.CurrentClusterState state = cluster.state();
    for (MemberStatus status : STATUSES) {
      into.add(Metric.CLUSTER_MEMBERS, 0, system.name(), name(status));
    }
    for (Member member : state.getMembers()) {
      into.add(Metric.CLUSTER_MEMBERS, 1, system.name(), name(member.status()));
    }
    into.add(Metric.CLUSTER_UNREACHABLE, state.getUnreachable().size(), system.name());
    into.add(Metric.CLUSTER_SEEN, state.getSeenBy().size(), system.name());
    for (Member member : state.getMembers()) {
      phi(cluster, member.address(), into);
    }
    boolean leads = cluster.selfAddress().equals(state.getLeader());
    into.add(Metric.CLUSTER_LEADER, leads ? 1 : 0, system.name());
  }

  /** For the nodes that this one watches: in a large cluster these are not all. */
  private void phi(Cluster cluster, Address peer, Readings into) {
    if (cluster.failureDetector() instanceof DefaultFailureDetectorRegistry<Address> detectors
        && detectors.isMonitoring(peer)) {
      scala.Option<FailureDetector> detector = detectors.failureDetector(peer);
      if (detector.isDefined() && detector.get() instanceof PhiAccrualFailureDetector accrual) {
        double phi = Math.min(MAX_PHI, accrual.phi()); // which is infinite in the end
        into.add(
            Metric.HEARTBEAT_PHI,
            Math.round(phi * Metric.THOUSANDTHS),
            system.name(),
            peer.toString());
      }
    }
  }

  private static String name(MemberStatus status) {
    return status.toString().toLowerCase(Locale.ROOT);
  }
}
