// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * With nothing said, what Pekko does for itself makes no spans. That it has done something is seen
 * by its metrics, which are switched on for that; spans are as by default.
 */
class SmartDefaultsTest {
  private static final String CLUSTER = "cluster";

  /** Pekko's own actors that are to be at work in two members with all services. */
  private static final List<String> AT_WORK =
      List.of(
          "org.apache.pekko.cluster.ClusterHeartbeatSender",
          "org.apache.pekko.cluster.ClusterHeartbeatReceiver",
          "org.apache.pekko.cluster.ClusterCoreDaemon",
          "org.apache.pekko.cluster.ddata.Replicator",
          "org.apache.pekko.cluster.pubsub.DistributedPubSubMediator",
          "org.apache.pekko.cluster.singleton.ClusterSingletonManager",
          "org.apache.pekko.cluster.sharding.ShardRegion",
          "org.apache.pekko.cluster.sharding.Shard",
          "org.apache.pekko.cluster.sharding.DDataShardCoordinator",
          "org.apache.pekko.stream.impl.fusing.ActorGraphInterpreter",
          "org.apache.pekko.event.slf4j.Slf4jLogger");

  private static List<ReceivedSpan> spans;
  private static final Set<String> ACTORS_AT_WORK = new TreeSet<>();

  @BeforeAll
  static void runBoth() {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = start("a", receiver);
        WireNode b = start("b", receiver)) {
      a.open(CLUSTER);
      b.open(CLUSTER);
      WireNode.join(CLUSTER, List.of(a, b));
      for (String row : List.of("sharding", "publish", "receptionist", "quiet")) {
        a.run(CLUSTER, row, b.address(CLUSTER));
      }
      a.end();
      b.end();
      // Their counts come with the end of the JVMs at the latest.
      // The program's own listener to dead letters, which others are about, is the application's.
      spans =
          receiver.spans().stream()
              .filter(s -> !String.valueOf(s.path()).endsWith("/user/dead-letters"))
              .toList();
      for (ReceivedPoint point : receiver.points()) {
        if (point.name().equals("pekko.message.processed") && point.value() > 0) {
          ACTORS_AT_WORK.add(String.valueOf(point.attributes().get("pekko.actor.class")));
        }
      }
    }
  }

  private static WireNode start(String name, OtlpReceiver receiver) {
    return WireNode.start(
        name,
        receiver,
        b ->
            b.form(name.equals("a"))
                .metricsEvery(Duration.ofMillis(500))
                .property("deimos.metrics.system-actors", "true"));
  }

  @Test
  void pekkosOwnActors_atWork_makeNoSpans() {
    assertThat(ACTORS_AT_WORK).containsAll(AT_WORK);
    assertThat(spans)
        .extracting(s -> String.valueOf(s.text("pekko.actor.class")))
        .noneMatch(c -> c.startsWith("org.apache.pekko."));
  }

  /** The routees of a group are known from the receptionist alone, which is typed. */
  @Test
  void receptionist_hasToldOfServices_andIsInNoTrace() {
    assertThat(spans)
        .filteredOn(s -> String.valueOf(s.path()).endsWith("/user/service"))
        .extracting(s -> s.resource().get("service.name"))
        .containsExactlyInAnyOrder("a", "b");
    assertThat(spans)
        .noneMatch(s -> String.valueOf(s.path()).contains("/system/clusterReceptionist"));
  }

  @Test
  void pekkosOwnMessages_haveNoSpans() {
    assertThat(spans)
        .extracting(s -> String.valueOf(s.text("pekko.message.class")))
        .isNotEmpty()
        .noneMatch(c -> c.startsWith("org.apache.pekko."));
  }

  @Test
  void everyTrace_beginsAtAnActorOfTheApplication() {
    assertThat(spans.stream().filter(ReceivedSpan::isRoot))
        .isNotEmpty()
        .allSatisfy(
            s -> {
              assertThat(s.name()).isEqualTo("process Begin");
              assertThat(s.text("pekko.actor.class")).isEqualTo("wire.Front");
            });
    assertThat(WireRun.tree(spans)).doesNotContain("(parent missing)");
  }
}
