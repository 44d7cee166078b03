// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.singleton.ClusterSingletonManager;
import org.apache.pekko.cluster.singleton.ClusterSingletonManagerSettings;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxy;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxySettings;
import org.junit.jupiter.api.Test;

/**
 * Pekko's cluster with sharding and singleton, on nodes with this transport and with stock Artery.
 */
class ClusterTest {
  private static final String CLUSTER =
      """
      pekko {
        actor.provider = cluster
        cluster {
          jmx.enabled = off
          min-nr-of-members = 1
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          split-brain-resolver.stable-after = 2 s
          failure-detector.acceptable-heartbeat-pause = 3 s
          gossip-interval = 200 ms
          leader-actions-interval = 200 ms
          sharding.state-store-mode = ddata
        }
      }
      """;

  private static final class Messages extends ShardRegion.HashCodeMessageExtractor {
    Messages() {
      super(20);
    }

    @Override
    public String entityId(Object message) {
      return String.valueOf(message);
    }
  }

  private static ActorRef shards(Node node) {
    return ClusterSharding.get(node.system)
        .start(
            "echoes",
            Props.create(Node.Echo.class),
            ClusterShardingSettings.create(node.system),
            new Messages());
  }

  private static ActorRef singleton(Node node) {
    node.system.actorOf(
        ClusterSingletonManager.props(
            Props.create(Node.Echo.class),
            PoisonPill.getInstance(),
            ClusterSingletonManagerSettings.create(node.system)),
        "single");
    return node.system.actorOf(
        ClusterSingletonProxy.props(
            "/user/single", ClusterSingletonProxySettings.create(node.system)));
  }

  private static long up(Node node) {
    return StreamSupport.stream(Cluster.get(node.system).state().getMembers().spliterator(), false)
        .filter(member -> member.status() == MemberStatus.up())
        .count();
  }

  @Test
  void cluster_ofMixedNodes_shardsSurviveALeaveAndARollingRestart() {
    try (Node a = Node.start("cluster", Node.OURS, CLUSTER);
        Node b = Node.start("cluster", Node.STOCK, CLUSTER);
        Node c = Node.start("cluster", Node.OURS, CLUSTER)) {
      List<Node> nodes = List.of(a, b, c);
      nodes.forEach(node -> Cluster.get(node.system).join(a.address()));
      Node.await("three up", () -> nodes.stream().allMatch(node -> up(node) == 3));
      List<ActorRef> regions = nodes.stream().map(ClusterTest::shards).toList();
      List<ActorRef> singletons = nodes.stream().map(ClusterTest::singleton).toList();
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 40; i++) {
          regions.get(round).tell("entity" + i, nodes.get(round).receiver);
        }
        Node node = nodes.get(round);
        Node.await("all entities answer node " + round, () -> node.received.size() >= 40);
        ActorRef proxy = singletons.get(round);
        Node.await(
            "the singleton answers node " + round,
            () -> {
              proxy.tell("single", node.receiver);
              return node.received.contains("single");
            });
      }
      b.stop(); // leaves, as coordinated shutdown has it
      Node.await("two up", () -> up(a) == 2 && up(c) == 2);
      try (Node again = Node.start("cluster", Node.OURS, CLUSTER)) {
        Cluster.get(again.system).join(a.address());
        Node.await("three up again", () -> up(again) == 3 && up(a) == 3 && up(c) == 3);
        ActorRef region = shards(again);
        Node.await(
            "all entities answer the new node",
            () -> {
              for (int i = 0; i < 40; i++) {
                region.tell("entity" + i, again.receiver);
              }
              return again.received.stream().distinct().count() == 40;
            });
      }
      assertThat(up(a)).isGreaterThanOrEqualTo(2);
    }
  }

  @Test
  void watch_inACluster_terminatedComesAfterTheLastMessages() {
    try (Node a = Node.start("cluster", Node.OURS, CLUSTER);
        Node b = Node.start("cluster", Node.OURS, CLUSTER)) {
      Cluster.get(a.system).join(a.address());
      Cluster.get(b.system).join(a.address());
      Node.await("two up", () -> up(a) == 2 && up(b) == 2);
      for (int round = 0; round < 10; round++) {
        a.received.clear();
        b.system.actorOf(Props.create(Burst.class), "burst" + round);
        ActorRef burst = a.find(b, "/user/burst" + round);
        ActorRef watcher =
            a.system.actorOf(Props.create(InteropTest.Watcher.class, burst, a.receiver));
        watcher.tell("watch", ActorRef.noSender());
        Node.await("watching", () -> a.received.contains("watching"));
        burst.tell("go", a.receiver);
        Node.await("terminated", () -> a.received.contains("terminated"));
        assertThat(a.received).as("round %d", round).hasSize(1002).endsWith("terminated");
      }
    }
  }

  /** Sends much and stops. */
  static final class Burst extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              go -> {
                for (int i = 0; i < 1000; i++) {
                  getSender().tell(i, getSelf());
                }
                getContext().stop(getSelf());
              })
          .build();
    }
  }
}
