// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The transport in clusters of forked JVMs, attached by the agent. */
class RemoteTransportTest {
  private static final String RUNS = "deimos.remote moves the bytes of Artery tcp";
  private static final String TRANSPORT = "org.apache.pekko.remote.artery.tcp.ArteryTcpTransport";
  private static final String PEER = "pekko.remote.peer";
  private static final int ENTITIES = 30;

  /** Three JVMs start at once. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static AgentJvm node(String name, UnaryOperator<AgentJvm.Builder> how) {
    return how.apply(AgentJvm.on(Jdk.own()))
        .classPath(Layout.clusterClassPath())
        .pekkoAlone()
        .runs("transport.ClusterNode")
        .start(name);
  }

  private static UnaryOperator<AgentJvm.Builder> on(OtlpReceiver receiver) {
    return b ->
        b.exportTo(receiver)
            .metricsEvery(Duration.ofMillis(200))
            .property("deimos.remote.enabled", "on");
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise) {
    new Eventually().await(condition, PATIENCE, otherwise);
  }

  private static String ask(AgentJvm node, String command) {
    return node.ask(command, PATIENCE);
  }

  private static String address(AgentJvm node) {
    String line = node.awaitOut("its address", l -> l.startsWith("@address "));
    return line.substring("@address ".length());
  }

  private static void join(AgentJvm... nodes) {
    String first = address(nodes[0]);
    for (AgentJvm node : nodes) {
      address(node);
      ask(node, "join " + first);
    }
    for (AgentJvm node : nodes) {
      awaitMembers(node, nodes.length);
    }
  }

  private static void awaitMembers(AgentJvm node, int count) {
    await(
        () -> ask(node, "members").equals("@members " + count),
        () -> "there were not " + count + " members\n" + node.transcript());
  }

  /** Asks all entities until each has answered, and says at which node each is. */
  private static Map<String, String> entities(AgentJvm node) {
    Map<String, String> places = new LinkedHashMap<>();
    await(
        () -> {
          for (int i = 0; i < ENTITIES; i++) {
            String answer = ask(node, "shard entity" + i);
            if (answer.startsWith("@answer entity" + i + " at ")) {
              places.put("entity" + i, answer.substring(answer.lastIndexOf(' ') + 1));
            }
          }
          return places.size() == ENTITIES;
        },
        () -> "only " + places.size() + " entities answered\n" + node.transcript());
    return places;
  }

  private static void awaitSingleton(AgentJvm node) {
    await(
        () -> ask(node, "single who").startsWith("@answer who at "),
        () -> "the singleton was silent\n" + node.transcript());
  }

  @Test
  void cluster_ofThreeWithTracingAndMetrics_worksAndGoesOnWithoutOne() {
    try (OtlpReceiver ofA = OtlpReceiver.start();
        OtlpReceiver ofB = OtlpReceiver.start();
        OtlpReceiver ofC = OtlpReceiver.start();
        AgentJvm a = node("remote-a", timed(ofA, true));
        AgentJvm b = node("remote-b", timed(ofB, false));
        AgentJvm c = node("remote-c", timed(ofC, false))) {
      join(a, b, c);
      for (AgentJvm node : List.of(a, b, c)) {
        assertThat(node.out()).filteredOn(line -> line.contains(RUNS)).hasSize(1);
        assertThat(ask(node, "threads transport-deimos-remote")).isNotEqualTo("@threads 0");
        assertThat(Set.copyOf(entities(node).values())).hasSizeGreaterThan(1);
        awaitSingleton(node);
      }
      assertThat(ask(b, "meter")).doesNotStartWith("@meter 0").endsWith(", 0 wrong");
      await(
          () ->
              Stream.of(ofA, ofB, ofC)
                  .flatMap(receiver -> receiver.spans().stream())
                  .anyMatch(span -> span.name().equals("process String")),
          () -> "no spans of entities came");
      Map<String, OtlpReceiver> receivers = new LinkedHashMap<>();
      receivers.put(address(a), ofA);
      receivers.put(address(b), ofB);
      receivers.put(address(c), ofC);
      receivers.forEach(
          (node, receiver) ->
              receivers.keySet().stream()
                  .filter(peer -> !peer.equals(node))
                  .forEach(peer -> awaitTold(receiver, peer)));
      receivers.forEach((node, receiver) -> awaitAllReceived(node, receiver, receivers));
      c.close(); // killed
      awaitMembers(a, 2);
      awaitMembers(b, 2);
      assertThat(entities(a)).hasSize(ENTITIES);
      awaitSingleton(b);
      for (OtlpReceiver receiver : List.of(ofA, ofB)) {
        awaitValue(receiver, "deimos.remote.connection.count", Map.of(PEER, address(c)), 0);
      }
      // The leader alone decides.
      await(() -> downed(ofA, ofB).size() > 1, () -> "no decision was told");
      assertThat(downed(ofA, ofB)).isEqualTo(decided("down_unreachable", 1));
    }
  }

  /** With clocks for what takes time. */
  private static UnaryOperator<AgentJvm.Builder> timed(OtlpReceiver receiver, boolean isFull) {
    return b -> on(receiver).apply(b.form(isFull)).property("deimos.remote.clocks", "on");
  }

  /** The exchange of two nodes, as one tells it, while all goes well. */
  private static void awaitTold(OtlpReceiver receiver, String peer) {
    for (String direction : List.of("transmit", "receive")) {
      for (String stream : List.of("control", "ordinary")) {
        Map<String, String> of = stream(stream, direction, Map.of(PEER, peer));
        await(
            () ->
                NodeReadings.of(receiver).last("deimos.remote.message.transferred", of).orElse(0)
                    > 0,
            () -> "no messages " + of);
        NodeReadings told = NodeReadings.of(receiver);
        double messages = told.last("deimos.remote.message.transferred", of).orElse(Double.NaN);
        // The length of a frame is four bytes, and what is in it has a header of 28.
        assertThat(told.last("deimos.remote.io", of).orElse(0))
            .as("%s", of)
            .isGreaterThan(32 * messages);
        assertThat(told.last("deimos.remote.batch.flushed", of).orElse(0))
            .as("%s", of)
            .isPositive();
        assertThat(told.last("deimos.remote.connection.count", of)).as("%s", of).hasValue(1);
        assertThat(told.last("deimos.remote.message.dropped", of)).as("%s", of).hasValue(0);
        assertThat(told.last("deimos.remote.connection.restored", of)).as("%s", of).hasValue(0);
        boolean out = direction.equals("transmit");
        awaitValue(receiver, out ? "pekko.remote.queue.size" : "deimos.remote.backlog.size", of, 0);
        assertThat(told.last(out ? "deimos.remote.backlog.size" : "pekko.remote.queue.size", of))
            .as("%s", of)
            .isEmpty();
        assertSeconds(told, "deimos.remote.serialization.time", of, stream.equals("ordinary"));
        assertSeconds(told, "deimos.remote.flush.time", of, out);
      }
    }
  }

  private static void assertSeconds(
      NodeReadings told, String metric, Map<String, String> of, boolean expected) {
    if (expected) {
      assertThat(told.last(metric, of).orElse(0))
          .as("%s %s", metric, of)
          .isGreaterThan(0)
          .isLessThan(PATIENCE.toMillis() / 1e3);
    } else {
      assertThat(told.last(metric, of)).as("%s %s", metric, of).isEmpty();
    }
  }

  /** The sender of a message is not known before the handshake; so all are taken together. */
  private static void awaitAllReceived(
      String node, OtlpReceiver there, Map<String, OtlpReceiver> receivers) {
    for (String metric : List.of("deimos.remote.message.transferred", "deimos.remote.io")) {
      await(
          () -> {
            List<TreeMap<Long, Double>> sent = new ArrayList<>();
            receivers.forEach(
                (address, receiver) -> {
                  if (!address.equals(node)) {
                    sent.add(
                        NodeReadings.of(receiver)
                            .history(metric, stream("ordinary", "transmit", Map.of(PEER, node))));
                  }
                });
            return NodeReadings.haveMet(
                sent,
                NodeReadings.of(there).history(metric, stream("ordinary", "receive", Map.of())));
          },
          () -> "what " + node + " received was never what the others had sent: " + metric);
    }
  }

  private static Map<String, String> stream(
      String stream, String direction, Map<String, String> also) {
    Map<String, String> of = new HashMap<>(also);
    of.put("pekko.remote.stream", stream);
    of.put("network.io.direction", direction);
    return of;
  }

  private static void awaitValue(
      OtlpReceiver receiver, String metric, Map<String, String> of, double value) {
    await(
        () -> NodeReadings.of(receiver).last(metric, of).equals(OptionalDouble.of(value)),
        () -> metric + " " + of + " was " + NodeReadings.of(receiver).last(metric, of));
  }

  /** The one that is left does not go on alone. */
  @ParameterizedTest
  @CsvSource({"static-quorum, down_reachable, 1", "down-all, down_all, 2"})
  void cluster_ofTwoThatLosesOne_tellsWhyTheOtherEnds(String strategy, String decision, int nodes) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm a = node("remote-killed", x -> resolving(strategy, x));
        AgentJvm b =
            node("remote-left", x -> resolving(strategy, on(receiver).apply(x.eitherForm())))) {
      join(a, b);
      a.close();
      assertThat(b.awaitExit(PATIENCE)).isNotNegative();
      assertThat(downed(receiver)).as(b.transcript()).isEqualTo(decided(decision, nodes));
    }
  }

  private static AgentJvm.Builder resolving(String strategy, AgentJvm.Builder node) {
    String resolver = "pekko.cluster.split-brain-resolver.";
    return node.property(resolver + "active-strategy", strategy)
        .property(resolver + "static-quorum.quorum-size", "2");
  }

  private static Map<String, Double> decided(String decision, double nodes) {
    return Map.of("downing.decided " + decision, 1.0, "member.downed " + decision, nodes);
  }

  /** The decisions of the split-brain resolvers, by metric and decision. */
  private static Map<String, Double> downed(OtlpReceiver... receivers) {
    Map<String, Double> counts = new TreeMap<>();
    for (OtlpReceiver receiver : receivers) {
      for (String of : List.of("downing.decided", "member.downed")) {
        Map<String, Double> last = new TreeMap<>();
        receiver.points().stream()
            .filter(p -> p.name().equals("pekko.cluster." + of))
            .forEach(
                p ->
                    last.put(
                        of + " " + p.attributes().get("pekko.cluster.downing.decision"),
                        p.value()));
        last.forEach((what, n) -> counts.merge(what, n, Double::sum));
      }
    }
    return counts;
  }

  @Test
  void extension_besideStockArtery_formsOneCluster() {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm a =
            node(
                "remote-extension",
                b ->
                    b.extension().exportTo(receiver).environment("DEIMOS_REMOTE_ENABLED", "true"));
        AgentJvm b = node("remote-plain", x -> x)) {
      join(a, b);
      assertThat(a.out()).filteredOn(line -> line.contains(RUNS)).hasSize(1);
      assertThat(entities(b)).hasSize(ENTITIES);
      assertThat(entities(a)).hasSize(ENTITIES);
    }
  }

  @Test
  void transport_notAskedFor_isNotWoven() throws Exception {
    Path off = Files.createDirectories(Layout.target().resolve("woven-off"));
    Path on = Files.createDirectories(Layout.target().resolve("woven-on"));
    try (AgentJvm without =
            node("remote-off", b -> b.deimos().property("net.bytebuddy.dump", off.toString()));
        AgentJvm with =
            node(
                "remote-on",
                b ->
                    b.deimos()
                        .property("net.bytebuddy.dump", on.toString())
                        .property("deimos.tracing.enabled", "false")
                        .property("deimos.metrics.enabled", "false")
                        .property("deimos.remote.enabled", "on"))) {
      join(without, with);
      assertThat(without.out()).noneMatch(line -> line.contains("deimos.remote"));
      assertThat(ask(without, "threads transport-deimos-remote")).isEqualTo("@threads 0");
      assertThat(dumped(off)).isFalse();
      assertThat(dumped(on)).isTrue(); // or the line before would say nothing
      assertThat(with.out()).filteredOn(line -> line.contains(RUNS)).hasSize(1);
    }
  }

  @Test
  void cluster_partitionedAndHealed_comesTogetherAgainAndWithoutTheOneThatStaysAway() {
    try (Network network = new Network(3);
        AgentJvm a = node("remote-p0", placed(network, 0));
        AgentJvm b = node("remote-p1", placed(network, 1));
        AgentJvm c = node("remote-p2", placed(network, 2))) {
      join(a, b, c);
      assertThat(entities(a)).hasSize(ENTITIES);
      network.cutOff(2, c);
      await(() -> ask(a, "unreachable").equals("@unreachable 1"), a::transcript);
      network.reconnect(2, c);
      await(() -> ask(a, "unreachable").equals("@unreachable 0"), a::transcript);
      awaitMembers(a, 3);
      assertThat(entities(a)).hasSize(ENTITIES);
      assertThat(entities(c)).hasSize(ENTITIES);

      network.cutOff(2, c);
      awaitMembers(a, 2); // c is downed by the majority
      awaitMembers(b, 2);
      assertThat(entities(a)).hasSize(ENTITIES);
      awaitSingleton(b);
      network.reconnect(2, c);
      assertThat(c.awaitExit(PATIENCE)).isNotNegative(); // it knows that it is out, and leaves
      awaitMembers(a, 2);
    }
  }

  /** With time to heal before anybody is downed. */
  private static UnaryOperator<AgentJvm.Builder> placed(Network network, int node) {
    return b ->
        network
            .place(node)
            .apply(b.form(node == 0))
            .property("deimos.remote.enabled", "on")
            .property("deimos.tracing.enabled", "false")
            .property("pekko.cluster.split-brain-resolver.stable-after", "10s");
  }

  private static boolean dumped(Path directory) throws Exception {
    try (var files = Files.list(directory)) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith(TRANSPORT + "."));
    }
  }
}
