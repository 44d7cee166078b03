// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A trace goes on through what a cluster is used for: two members, and what they offer to each
 * other. Pekko's own actors on the way make no spans.
 */
@OnEachJdk
class WireClusterTest {
  private static final String CLUSTER = "cluster";

  /** A second cluster in the same JVMs, over our own transport, and what is tried there too. */
  private static final String OURS = "deimos-cluster";

  private static final List<String> OVER_OURS =
      List.of("cluster-router", "publish", "receptionist", "sharding", "sharding-typed");

  /** Each row and its whole trace. */
  private static final Map<String, String> ROWS =
      Map.ofEntries(
          Map.entry(
              "sharding",
              """
              process Begin at a/user/sharding
                process Work at b/system/sharding/sharded/1/1
                  process Done at a/user/sharding
                process Work at b/system/sharding/sharded/1/1
                  process Done at a/user/sharding
              """),
          Map.entry(
              "remembered",
              """
              process Begin at a/user/remembered
                process Work at b/system/sharding/remembered/1/1
                  process Done at a/user/remembered
                process Work at b/system/sharding/remembered/1/1
                  process Done at a/user/remembered
              """),
          Map.entry(
              "sharding-typed",
              """
              process Begin at a/user/sharding-typed
                ask Question at a/system/sharding/typed-entity
                  process Question at b/system/sharding/typed-entity/7/entity
                process Done at a/user/sharding-typed
              """),
          Map.entry(
              "cluster-router",
              """
              process Begin at a/user/cluster-router
                process Work at b/user/echo
                  process Done at a/user/cluster-router
              """),
          Map.entry(
              "publish",
              """
              process Begin at a/user/publish
                process Work at a/user/subscriber
                  process Done at a/user/publish
                process Work at b/user/subscriber
                  process Done at a/user/publish
              """),
          Map.entry(
              "send",
              """
              process Begin at a/user/send
                process Work at a/user/subscriber
                  process Done at a/user/send
                process Work at b/user/subscriber
                  process Done at a/user/send
              """),
          Map.entry(
              "source-ref",
              """
              process Begin at a/user/source-ref
                process WantSource at b/user/streams
                  process SourceThere at a/user/source-ref
                  process Work at b/user/echo
                    process Done at a/user/source-ref
                  process Work at b/user/echo
                    process Done at a/user/source-ref
              """),
          Map.entry(
              "sink-ref",
              """
              process Begin at a/user/sink-ref
                process WantSink at b/user/streams
                  process SinkThere at a/user/sink-ref
                    process Work at b/user/behind-the-sink
                      process Done at a/user/sink-ref
                    process Work at b/user/behind-the-sink
                      process Done at a/user/sink-ref
              """),
          Map.entry(
              "receptionist",
              """
              process Begin at a/user/receptionist
                process Question at a/user/service
                  process Done at a/user/receptionist
                process Question at b/user/service
                  process Done at a/user/receptionist
              """));

  private static final Map<Jdk, WireRun> RUNS = new ConcurrentHashMap<>();

  private final WireRun run;

  WireClusterTest(Jdk jdk) {
    run = RUNS.computeIfAbsent(jdk, WireClusterTest::runAll);
  }

  private static WireRun runAll(Jdk jdk) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start(jdk, "a", receiver, n -> n.deimos());
        WireNode b = WireNode.start(jdk, "b", receiver, n -> n.deimos())) {
      a.open(CLUSTER);
      b.open(CLUSTER);
      WireNode.join(CLUSTER, List.of(a, b));
      Stream.concat(
              ROWS.keySet().stream().sorted(),
              Stream.of(
                  "sharding-late",
                  "sharding-moves",
                  "client",
                  "delivery",
                  "delivery-lost",
                  "delivery-pulled",
                  "delivery-sharded"))
          .forEach(row -> a.run(CLUSTER, row, b.address(CLUSTER)));
      // The singleton is on the older of the two.
      b.run(CLUSTER, "singleton-proxy", a.address(CLUSTER));
      a.open(OURS);
      b.open(OURS);
      WireNode.join(OURS, List.of(a, b));
      OVER_OURS.forEach(row -> a.run(OURS, row, b.address(OURS)));
      b.run(OURS, "singleton-proxy", a.address(OURS));
      a.end();
      b.end();
      return new WireRun(receiver.spans(), receiver.points(), List.of(a, b));
    }
  }

  static Stream<Arguments> rows() {
    return ROWS.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .map(row -> Arguments.of(row.getKey(), row.getValue()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void row_inACluster_isOneTrace(String row, String expected) {
    run.assertTraces(CLUSTER, row, expected);
  }

  static List<String> overOurs() {
    return OVER_OURS;
  }

  @ParameterizedTest
  @MethodSource("overOurs")
  void row_inAClusterOverOurTransport_isTheSameTrace(String row) {
    run.assertTraces(OURS, row, Objects.requireNonNull(ROWS.get(row)));
  }

  @ParameterizedTest
  @ValueSource(strings = {CLUSTER, OURS})
  void singletonProxy_thatHasToFindItFirst_keepsTheTrace(String cluster) {
    run.assertTraces(
        cluster,
        "singleton-proxy",
        """
        process Begin at b/user/singleton-proxy
          process Work at a/user/singleton/only
            process Done at b/user/singleton-proxy
        """);
  }

  /** The region starts with the message; where the shard then is, is Pekko's to choose. */
  @Test
  void region_thatHasToFindItsCoordinatorFirst_keepsTheTrace() {
    String tree = WireRun.tree(run.spansOf(CLUSTER, "sharding-late"));
    assertThat(tree.replaceAll("at [ab]/system", "at ?/system"))
        .isEqualTo(
            """
            process Begin at a/user/sharding-late
              process Work at ?/system/sharding/late/2/2
                process Done at a/user/sharding-late
            """);
  }

  /** Which of the two members answers a client is Pekko's to choose. */
  @Test
  void client_ofTheCluster_isOneTrace() {
    String tree = WireRun.tree(run.spansOf(CLUSTER, "client"));
    assertThat(tree.replaceAll("at [ab]/user/subscriber", "at ?/user/subscriber"))
        .isEqualTo(
            """
            process Begin at a/user/client
              process Work at ?/user/subscriber
                process Done at a/user/client
            """);
  }

  /** Also where the buffer is on one node and the actor on another. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "sharding",
        "remembered",
        "sharding-typed",
        "sharding-late",
        "singleton-proxy",
        "client"
      })
  void message_thatWasKeptByPekkosOwnActors_saysHowLong(String row) {
    assertThat(run.spansOf(CLUSTER, row))
        .filteredOn(s -> s.attributes().containsKey("pekko.buffer.wait"))
        .as(() -> "kept in %s".formatted(WireRun.tree(run.spansOf(CLUSTER, row))))
        .isNotEmpty()
        .allSatisfy(
            s -> {
              assertThat(s.name()).isIn("process Work", "process Question");
              assertThat((Double) s.attributes().get("pekko.buffer.wait")).isPositive();
              assertThat((Double) s.attributes().get("pekko.mailbox.wait")).isNotNegative();
            });
  }

  @ParameterizedTest
  @ValueSource(strings = {"publish", "receptionist", "cluster-router"})
  void message_thatWasNotKept_saysNothing(String row) {
    assertThat(run.spansOf(CLUSTER, row))
        .noneMatch(s -> s.attributes().containsKey("pekko.buffer.wait"));
  }

  @Test
  void shard_thatMoves_takesNoTraceWithIt() {
    List<ReceivedSpan> spans = run.spansOf(CLUSTER, "sharding-moves");
    Map<String, Long> traces =
        spans.stream().collect(Collectors.groupingBy(ReceivedSpan::traceId, Collectors.counting()));
    assertThat(traces).hasSize(301);
    assertThat(traces.values()).as("begun, done by the entity, answered").containsOnly(3L);
    assertThat(spans.stream().filter(s -> s.name().equals("process Work")))
        .as("nodes at which the entity was")
        .extracting(s -> s.resource().get("service.name"))
        .contains("a", "b");
  }

  /** Each message is delivered in the trace in which it was produced, also when it got lost. */
  @ParameterizedTest
  @ValueSource(strings = {"delivery", "delivery-lost", "delivery-pulled", "delivery-sharded"})
  void reliableDelivery_ofThree_areThreeTraces(String row) {
    List<ReceivedSpan> spans = run.spansOf(CLUSTER, row);
    // What is produced before there is demand is stashed, and then has a second span.
    Map<String, List<ReceivedSpan>> begun =
        spans.stream()
            .filter(s -> s.name().equals("process Begin"))
            .collect(Collectors.groupingBy(ReceivedSpan::traceId));
    assertThat(begun).hasSize(3);
    begun.forEach(
        (trace, begins) -> {
          List<ReceivedSpan> delivered =
              spans.stream()
                  .filter(s -> s.name().equals("process Delivery"))
                  .filter(s -> s.traceId().equals(trace))
                  .toList();
          assertThat(delivered).as("deliveries in %s", WireRun.tree(spans)).hasSize(1);
          List<String> parents = begins.stream().map(ReceivedSpan::parentId).toList();
          assertThat(begins.stream().map(ReceivedSpan::spanId).filter(id -> !parents.contains(id)))
              .as("the last of %s", begins)
              .containsExactly(delivered.get(0).parentId());
        });
  }

  @Test
  void noSpan_ofAnyNode_hasAParentThatIsMissing() {
    assertThat(WireRun.tree(run.spans())).doesNotContain("(parent missing)");
  }
}
