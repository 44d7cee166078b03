// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The transport in clusters of forked JVMs, attached by the agent. */
class RemoteTransportTest {
  private static final String RUNS = "deimos.remote moves the bytes of Artery tcp";
  private static final String TRANSPORT = "org.apache.pekko.remote.artery.tcp.ArteryTcpTransport";
  private static final int ENTITIES = 30;

  /** Three JVMs start at once. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private static AgentJvm node(String name, UnaryOperator<AgentJvm.Builder> how) {
    return how.apply(AgentJvm.on(Jdk.own()))
        .classPath(Layout.clusterClassPath())
        .runs("transport.ClusterNode")
        .start(name);
  }

  private static UnaryOperator<AgentJvm.Builder> on(OtlpReceiver receiver) {
    return b ->
        b.deimos()
            .exportTo(receiver)
            .metricsEvery(Duration.ofMillis(200))
            .property("deimos.remote.enabled", "on");
  }

  private static void await(BooleanSupplier condition, Supplier<String> otherwise) {
    new Eventually().await(condition, PATIENCE, otherwise);
  }

  private static String ask(AgentJvm node, String command) {
    int lines = answers(node).size();
    node.tell(command);
    await(
        () -> answers(node).size() > lines || !node.isAlive(),
        () -> "no answer to " + command + "\n" + node.transcript());
    return answers(node).get(lines);
  }

  private static List<String> answers(AgentJvm node) {
    return node.out().stream().filter(line -> line.startsWith("@")).toList();
  }

  private static String address(AgentJvm node) {
    await(() -> !answers(node).isEmpty() || !node.isAlive(), node::transcript);
    assertThat(answers(node)).as(node.transcript()).isNotEmpty();
    return answers(node).get(0).substring("@address ".length());
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
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm a = node("remote-a", on(receiver));
        AgentJvm b = node("remote-b", on(receiver));
        AgentJvm c = node("remote-c", on(receiver))) {
      join(a, b, c);
      for (AgentJvm node : List.of(a, b, c)) {
        assertThat(node.out()).filteredOn(line -> line.contains(RUNS)).hasSize(1);
        assertThat(ask(node, "threads transport-deimos-remote")).isNotEqualTo("@threads 0");
        assertThat(Set.copyOf(entities(node).values())).hasSizeGreaterThan(1);
        awaitSingleton(node);
      }
      assertThat(ask(b, "meter")).doesNotStartWith("@meter 0").endsWith(", 0 wrong");
      await(
          () -> receiver.spans().stream().anyMatch(span -> span.name().equals("process String")),
          () -> "no spans of entities came");
      for (String metric : List.of("pekko.remote.messages", "pekko.remote.io")) {
        await(
            () -> receiver.points().stream().anyMatch(point -> point.name().equals(metric)),
            () -> "no points of " + metric + " came");
      }
      c.close(); // killed
      awaitMembers(a, 2);
      awaitMembers(b, 2);
      assertThat(entities(a)).hasSize(ENTITIES);
      awaitSingleton(b);
    }
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
            .apply(b.deimos())
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
