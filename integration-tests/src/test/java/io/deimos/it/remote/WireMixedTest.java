// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.Peers;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.WireLayout;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A node with Deimos among nodes that have no agent, only the OpenTelemetry agent, only Kamon, or
 * Deimos with this switched off: every message arrives, and a trace goes as far as it can.
 */
class WireMixedTest {
  private static final List<String> ROWS =
      List.of(
          "tell",
          "ask",
          "ask-typed",
          "forward",
          "selection",
          "large",
          "router",
          "deployed",
          "typed-tell",
          "typed-ask",
          "scala-tell",
          "scala-ask",
          "scala-typed-tell");

  /** Messages that can only come back from a node that hands them on. */
  private static final List<String> BESIDE_THE_TRACE = List.of("baggage", "tracestate");

  private static final List<String> ARTERY = List.of("tcp", "tls", "aeron", "deimos-mixed");
  private static final String CLUSTER = "cluster";
  private static final Map<String, UnaryOperator<AgentJvm.Builder>> PEERS = new LinkedHashMap<>();

  static {
    PEERS.put("none", n -> n);
    PEERS.put("otel", Peers::otel);
    PEERS.put("kamon", n -> Peers.kamon(n, WireLayout.classPath()));
    PEERS.put("off", n -> n.eitherForm().property("deimos.tracing.remote.enabled", "false"));
  }

  /** With classic remoting of this Pekko, Kamon ends its own JVM, whoever the peer is. */
  private static List<String> transports(String peer) {
    return peer.equals("kamon")
        ? ARTERY
        : Stream.concat(ARTERY.stream(), Stream.of("classic")).toList();
  }

  private static List<String> rows(String peer) {
    return peer.equals("otel")
        ? Stream.concat(ROWS.stream(), BESIDE_THE_TRACE.stream()).toList()
        : ROWS;
  }

  private static final Map<String, String> LEFT = new LinkedHashMap<>();
  private static final Map<String, WireNode> NODES = new LinkedHashMap<>();
  private static List<ReceivedSpan> spans = List.of();

  @BeforeAll
  static void runAll() {
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      try {
        NODES.put("a", WireNode.start("a", receiver, n -> n.deimos()));
        PEERS.forEach((p, agent) -> NODES.put(p, WireNode.start(p, receiver, agent)));
        PEERS.keySet().forEach(WireMixedTest::runPair);
        runCluster();
        NODES.values().forEach(WireNode::end);
      } finally {
        NODES.values().forEach(WireNode::close);
      }
      spans = receiver.spans();
    }
  }

  private static void runPair(String peer) {
    WireNode a = node("a");
    WireNode b = node(peer);
    for (String transport : transports(peer)) {
      String system = transport + "-" + peer;
      a.open(system);
      b.open(system);
      for (String row : rows(peer)) {
        a.run(system, row, b.address(system));
        b.run(system, row, a.address(system));
      }
      LEFT.put(system + " of a", a.deadLetters(system));
      LEFT.put(system + " of " + peer, b.deadLetters(system));
      WireNode.close(system, List.of(a, b));
    }
  }

  /** One cluster of them all, with entities on each. */
  private static void runCluster() {
    List<WireNode> members = new ArrayList<>(NODES.values());
    members.forEach(n -> n.open(CLUSTER));
    WireNode.join(CLUSTER, members);
    node("a").run(CLUSTER, "sharding", node("none").address(CLUSTER));
    node("a").run(CLUSTER, "sharding-typed", node("otel").address(CLUSTER));
    node("a").run(CLUSTER, "remembered", node("kamon").address(CLUSTER));
    node("otel").run(CLUSTER, "singleton-proxy", node("a").address(CLUSTER));
    node("kamon").run(CLUSTER, "receptionist", node("a").address(CLUSTER));
    NODES.forEach((name, n) -> LEFT.put(CLUSTER + " of " + name, n.deadLetters(CLUSTER)));
  }

  private static WireNode node(String name) {
    return Objects.requireNonNull(NODES.get(name), name);
  }

  private static WireRun run() {
    return new WireRun(spans, List.of(), new ArrayList<>(NODES.values()));
  }

  static Set<String> peers() {
    return PEERS.keySet();
  }

  @ParameterizedTest
  @MethodSource("peers")
  void everyRow_inBothDirections_isDone(String peer) {
    for (String transport : transports(peer)) {
      for (String row : rows(peer)) {
        for (String from : List.of("a", peer)) {
          assertThat(node(from).hasDone(transport + "-" + peer, row))
              .as("%s over %s from %s\n%s", row, transport, from, node(from).jvm().transcript())
              .isTrue();
        }
      }
    }
  }

  @Test
  void clusterOfThemAll_doesWhatItIsAskedFor() {
    for (String row : List.of("sharding", "sharding-typed", "remembered")) {
      assertThat(node("a").hasDone(CLUSTER, row)).as(row).isTrue();
    }
    assertThat(node("otel").hasDone(CLUSTER, "singleton-proxy")).isTrue();
    assertThat(node("kamon").hasDone(CLUSTER, "receptionist")).isTrue();
  }

  @Test
  void noMessage_ofAnyRow_isADeadLetter() {
    int systems = PEERS.keySet().stream().mapToInt(p -> transports(p).size()).sum();
    assertThat(LEFT).hasSize(2 * systems + NODES.size());
    assertThat(LEFT.values()).as(LEFT.toString()).containsOnly("[]");
  }

  @Test
  void nodeWithDeimos_amongTheOthers_hasNothingToComplainOf() {
    assertThat(node("a").jvm().complaints()).isEmpty();
    assertThat(node("off").jvm().complaints()).isEmpty();
  }

  static Stream<Arguments> apart() {
    return Stream.of("none", "kamon", "off")
        .flatMap(peer -> ROWS.stream().sorted().map(row -> Arguments.of(peer, row)));
  }

  /** A message to such a node ends its trace there, and what comes from it begins one. */
  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("apart")
  void nodeThatDoesNotKnowOurContext_answers_inNoTrace(String peer, String row) {
    List<String> trees = WireMixedTrees.apart(row);
    List<String> at = peer.equals("off") ? List.of("a", peer) : List.of("a");
    String expected =
        at.stream()
            .flatMap(n -> trees.stream().map(tree -> tree.replace(" at a/", " at " + n + "/")))
            .sorted()
            .collect(Collectors.joining());
    for (String transport : transports(peer)) {
      run().assertTraces(transport + "-" + peer, row, expected);
    }
  }

  static List<String> handedOn() {
    return rows("otel").stream().sorted().toList();
  }

  /** That agent makes no spans of actors, but hands on the context that it got from us. */
  @ParameterizedTest(name = "{0}")
  @MethodSource("handedOn")
  void nodeWithTheOpenTelemetryAgent_isSentTo_handsTheTraceOn(String row) {
    for (String transport : transports("otel")) {
      run().assertTraces(transport + "-otel", row, WireMixedTrees.handedOn(row));
    }
  }

  @Test
  void nodeWithTheOpenTelemetryAgent_inACluster_handsTheTraceOn() {
    run()
        .assertTraces(
            CLUSTER,
            "sharding-typed",
            """
            process Begin at a/user/sharding-typed
              ask Question at a/system/sharding/typed-entity
              process Done at a/user/sharding-typed
            """);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("handedOn")
  void nodeWithTheOpenTelemetryAgent_sends_ourSpansAreItsChildren(String row) {
    String root = row.equals("tracestate") ? "request" : row;
    List<ReceivedSpan> requests =
        spans.stream()
            .filter(s -> s.name().equals(root) && "otel".equals(s.resource().get("service.name")))
            .toList();
    assertThat(requests).hasSize(transports("otel").size());
    for (ReceivedSpan request : requests) {
      List<ReceivedSpan> trace =
          spans.stream().filter(s -> s.traceId().equals(request.traceId())).toList();
      assertThat(WireRun.tree(trace)).isEqualTo(WireMixedTrees.sent(row, root));
    }
  }

  @Test
  void noSpan_hasAParentThatIsMissing() {
    Set<String> ids = spans.stream().map(ReceivedSpan::spanId).collect(toSet());
    assertThat(spans.stream().filter(s -> !s.isRoot() && !ids.contains(s.parentId()))).isEmpty();
  }
}
