// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.WireNode;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;

/**
 * Numbers that two members of a cluster push, each to a receiver of its own. Levels are as they
 * were read last, so a test waits until they are as they have to be; b is killed by the last.
 */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ClusterMetricsTest {
  private static final String CLUSTER = "cluster";
  private static final String TYPE = "pekko.cluster.sharding.type";
  private static final double RUN_SECONDS = 300;

  @AutoClose private static OtlpReceiver ofA;
  @AutoClose private static OtlpReceiver ofB;
  @AutoClose private static WireNode a;
  @AutoClose private static WireNode b;

  @BeforeAll
  static void open() {
    ofA = OtlpReceiver.start();
    ofB = OtlpReceiver.start();
    a = node("a", ofA).open(CLUSTER);
    b = node("b", ofB).open(CLUSTER);
    WireNode.join(CLUSTER, List.of(a, b));
    b.run(CLUSTER, "metered-open", a.address(CLUSTER));
  }

  private static WireNode node(String name, OtlpReceiver receiver) {
    return WireNode.start(
        name,
        receiver,
        n ->
            n.form(name.equals("a"))
                .logs()
                .metricsEvery(Duration.ofMillis(300))
                .property("pekko.cluster.roles.0", name + "-role")
                .property("pekko.cluster.roles.1", "both")
                .property("pekko.cluster.multi-data-center.self-data-center", "north")
                .property("deimos.metrics.gauges.interval", "200ms"));
  }

  private static void run(String row) {
    a.run(CLUSTER, row, b.address(CLUSTER));
    assertThat(a.hasDone(CLUSTER, row)).as(row + "\n" + a.jvm().transcript()).isTrue();
  }

  /** Waits until the last of a metric's points with these attributes, added up, are a number. */
  private static void await(
      OtlpReceiver receiver, String metric, double value, String... attributes) {
    await(receiver, metric, ReceivedPoint::value, value, attributes);
  }

  /** So many messages came to a shard. */
  private static void awaitReceived(OtlpReceiver receiver, double messages, String shard) {
    String metric = "pekko.cluster.sharding.message.received";
    await(receiver, metric, messages, TYPE, "metered", "pekko.cluster.sharding.shard.id", shard);
  }

  private static void await(
      OtlpReceiver receiver,
      String metric,
      ToDoubleFunction<ReceivedPoint> what,
      double value,
      String... attributes) {
    try {
      receiver.awaitPoints(
          value + " " + metric + " " + List.of(attributes),
          points -> Double.valueOf(value).equals(last(points, metric, what, attributes)),
          Duration.ofSeconds(45));
    } catch (AssertionError e) {
      throw new AssertionError(
          series(receiver.points(), metric, what, attributes)
              + " in place of "
              + value
              + ": "
              + metric,
          e);
    }
  }

  private static Double last(OtlpReceiver receiver, String metric, String... attributes) {
    return last(receiver.points(), metric, ReceivedPoint::value, attributes);
  }

  private static Double last(
      List<ReceivedPoint> points,
      String metric,
      ToDoubleFunction<ReceivedPoint> what,
      String... attributes) {
    Map<Map<String, Object>, Double> series = series(points, metric, what, attributes);
    return series.isEmpty() ? Double.NaN : series.values().stream().mapToDouble(d -> d).sum();
  }

  private static Map<Map<String, Object>, Double> series(
      List<ReceivedPoint> points,
      String metric,
      ToDoubleFunction<ReceivedPoint> what,
      String... attributes) {
    Map<String, Object> wanted = new HashMap<>(Map.of("pekko.system", CLUSTER));
    for (int i = 0; i < attributes.length; i += 2) {
      wanted.put(attributes[i], attributes[i + 1]);
    }
    Map<Map<String, Object>, Double> last = new HashMap<>();
    points.stream()
        .filter(p -> p.name().equals(metric))
        .filter(p -> p.attributes().entrySet().containsAll(wanted.entrySet()))
        .forEach(p -> last.put(p.attributes(), what.applyAsDouble(p)));
    return last;
  }

  @Test
  @Order(1)
  void members_leaderAndSingletons_areToldByBoth() {
    for (OtlpReceiver each : List.of(ofA, ofB)) {
      await(each, "pekko.cluster.member.count", 2, "pekko.cluster.member.status", "up");
      for (String status : List.of("joining", "weaklyup", "leaving", "exiting", "down")) {
        await(each, "pekko.cluster.member.count", 0, "pekko.cluster.member.status", status);
      }
      await(each, "pekko.cluster.member.unreachable.count", 0);
      await(each, "pekko.cluster.member.seen.count", 2);
    }
    // The leader is the first by address, the singletons are on the older node.
    boolean first = port(a) < port(b);
    await(ofA, "pekko.cluster.leader", first ? 1 : 0);
    await(ofB, "pekko.cluster.leader", first ? 0 : 1);
    for (String name : List.of("singleton", "singletonManagertyped-only")) {
      await(ofA, "pekko.cluster.singleton", 1, "pekko.cluster.singleton.name", name);
      await(ofB, "pekko.cluster.singleton", 0, "pekko.cluster.singleton.name", name);
    }
  }

  @Test
  @Order(1)
  void identity_ofEachNode_isItsAddressRolesAndDataCenter() {
    for (WireNode node : List.of(a, b)) {
      await(
          node == a ? ofA : ofB,
          "pekko.node.identity",
          1,
          "pekko.node.address",
          node.address(CLUSTER),
          "pekko.node.roles",
          (node == a ? "a" : "b") + "-role,both",
          "pekko.node.data_center",
          "north");
    }
  }

  @Test
  @Order(1)
  void heartbeats_ofThePeer_areTimed() {
    String peer = b.address(CLUSTER);
    ofA.awaitPoints(
        "the interval between heartbeats of " + peer,
        points ->
            points.stream()
                .filter(p -> p.name().equals("pekko.remote.heartbeat.interval.duration"))
                .filter(p -> peer.equals(p.attributes().get("pekko.remote.peer")))
                .anyMatch(p -> p.count() > 1 && p.value() > 0 && p.value() < RUN_SECONDS),
        Duration.ofSeconds(45));
  }

  @Test
  @Order(1)
  void phi_ofThePeer_isBelowWhatDownsIt() {
    String peer = b.address(CLUSTER);
    ofA.awaitPoints(
        "phi of " + peer,
        points ->
            points.stream()
                .filter(p -> p.name().equals("pekko.remote.heartbeat.phi"))
                .filter(p -> peer.equals(p.attributes().get("pekko.remote.peer")))
                .anyMatch(p -> p.value() >= 0 && p.value() < 8),
        Duration.ofSeconds(45));
  }

  private static int port(WireNode node) {
    String address = node.address(CLUSTER);
    return Integer.parseInt(address.substring(address.lastIndexOf(':') + 1));
  }

  @Test
  @Order(2)
  void sharding_ofKnownEntities_isExact() {
    run("metered");
    for (OtlpReceiver each : List.of(ofA, ofB)) {
      await(each, "pekko.cluster.sharding.shard.count", 1, TYPE, "metered");
      await(each, "pekko.cluster.sharding.buffer.size", 0, TYPE, "metered");
    }
    await(ofA, "pekko.cluster.sharding.region.count", 2, TYPE, "metered");
    await(ofB, "pekko.cluster.sharding.region.count", 1, TYPE, "metered"); // it had nothing to send
    await(ofA, "pekko.cluster.sharding.entity.count", 3, TYPE, "metered");
    await(ofA, "pekko.cluster.sharding.shard.entity.max", 3, TYPE, "metered");
    await(ofB, "pekko.cluster.sharding.entity.count", 1, TYPE, "metered");
    await(ofB, "pekko.cluster.sharding.shard.entity.max", 1, TYPE, "metered");
    await(ofA, "pekko.cluster.sharding.entity.passivated", 1, TYPE, "metered");
    await(ofB, "pekko.cluster.sharding.entity.passivated", 0, TYPE, "metered");
    await(ofA, "pekko.cluster.sharding.message.received", 7, TYPE, "metered");
    awaitReceived(ofA, 7, "even");
    awaitReceived(ofB, 2, "odd");
    await(ofA, "pekko.cluster.sharding.buffer.size", 4, TYPE, "nowhere");
    String home = "pekko.cluster.sharding.shard.home.duration";
    await(
        ofA, home, ReceivedPoint::count, 2, TYPE, "metered"); // of its own shard, and of the other
    assertThat(last(ofA, home, TYPE, "nowhere")).as("nobody has a home there").isNaN();
    assertThat(last(ofA, "pekko.cluster.sharding.handoff.duration", TYPE, "metered")).isNaN();
  }

  @Test
  @Order(3)
  void shard_thatMoves_isCountedOnceByTheCoordinator() {
    run("metered-moves");
    String handOff = "pekko.cluster.sharding.handoff.duration";
    await(
        ofA,
        handOff,
        ReceivedPoint::count,
        1,
        TYPE,
        "metered",
        "pekko.cluster.sharding.handoff.outcome",
        "success");
    assertThat(last(ofA, handOff, TYPE, "metered")).isGreaterThan(0).isLessThan(RUN_SECONDS);
    assertThat(last(ofB, handOff, TYPE, "metered")).as("not the coordinator's node").isNaN();
    await(ofA, "pekko.cluster.sharding.shard.count", 2, TYPE, "metered");
    await(ofB, "pekko.cluster.sharding.shard.count", 0, TYPE, "metered");
    await(ofA, "pekko.cluster.sharding.entity.count", 4, TYPE, "metered");
    await(ofB, "pekko.cluster.sharding.entity.count", 0, TYPE, "metered");
    awaitReceived(ofA, 1, "odd");
    awaitReceived(ofB, 2, "odd");
  }

  /** Pekko's own reads and writes are among those of all; nobody else deletes. */
  @Test
  @Order(4)
  void distributedData_operations_areCountedByOutcome() {
    double before = last(ofA, "pekko.cluster.ddata.entry.count");
    String operations = "pekko.cluster.ddata.operation.duration";
    String[] updates = {
      "pekko.cluster.ddata.operation.name",
      "update",
      "pekko.cluster.ddata.operation.outcome",
      "success"
    };
    double updated = counted(operations, updates);
    run("metered-data");
    await(ofA, "pekko.cluster.ddata.entry.count", before + 3);
    String[] deletes = {
      "pekko.cluster.ddata.operation.name",
      "delete",
      "pekko.cluster.ddata.operation.outcome",
      "success"
    };
    await(ofA, operations, ReceivedPoint::count, 1, deletes);
    assertThat(last(ofA, operations, deletes)).isGreaterThan(0).isLessThan(RUN_SECONDS);
    assertThat(counted(operations, updates)).isGreaterThanOrEqualTo(updated + 3);
    for (String outcome : List.of("success", "not_found")) {
      assertThat(
              counted(
                  operations,
                  "pekko.cluster.ddata.operation.name",
                  "get",
                  "pekko.cluster.ddata.operation.outcome",
                  outcome))
          .as(outcome)
          .isGreaterThanOrEqualTo(1);
    }
  }

  private static double counted(String metric, String... attributes) {
    double count = last(ofA.points(), metric, ReceivedPoint::count, attributes);
    return Double.isNaN(count) ? 0 : count;
  }

  @Test
  @Order(5)
  void member_thatIsKilled_isUnreachable() {
    String address = b.address(CLUSTER);
    ofA.awaitLog(
        "pekko.cluster.member.changed",
        l ->
            address.equals(l.attributes().get("pekko.remote.peer"))
                && "up".equals(l.attributes().get("pekko.cluster.member.status")));
    b.close();
    ofA.awaitLog(
        "pekko.cluster.member.unreachable",
        l -> address.equals(l.attributes().get("pekko.remote.peer")));
    await(ofA, "pekko.cluster.member.unreachable.count", 1);
    await(ofA, "pekko.cluster.member.count", 2, "pekko.cluster.member.status", "up");
    await(ofA, "pekko.cluster.leader", 1);
  }
}
