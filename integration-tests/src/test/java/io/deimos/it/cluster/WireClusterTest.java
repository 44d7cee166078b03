// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import wire.ClusterRows;
import wire.Rows;
import wire.StreamRows;

/**
 * A trace goes on through what a cluster is used for: two members, and what they offer to each
 * other. Pekko's own actors on the way make no spans.
 */
@OnOneJdk
class WireClusterTest {
  private static final String CLUSTER = "cluster";

  /** A second cluster in the same JVMs, over our own transport, and what is tried there too. */
  private static final String OURS = "deimos-cluster";

  private static final List<String> OVER_OURS =
      List.of("cluster-router", "publish", "receptionist", "sharding", "sharding-typed");

  /** Each row and its whole trace. */
  private static final Map<String, String> ROWS =
      Rows.of(ClusterRows::addTo, StreamRows::addTo).traces();

  private static final Map<Jdk, WireRun> RUNS = new ConcurrentHashMap<>();

  private final WireRun run;

  WireClusterTest(Jdk jdk) {
    run = RUNS.computeIfAbsent(jdk, WireClusterTest::runAll);
  }

  private static WireRun runAll(Jdk jdk) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start(jdk, "a", receiver, n -> n.deimos());
        WireNode b = WireNode.start(jdk, "b", receiver, n -> n.eitherForm())) {
      a.open(CLUSTER);
      b.open(CLUSTER);
      WireNode.join(CLUSTER, List.of(a, b));
      Stream.concat(
              ROWS.keySet().stream(),
              Stream.of(
                  "sharding-late",
                  "sharding-moves",
                  "sharding-typed-moves",
                  "remembered-moves",
                  "client",
                  "delivery",
                  "delivery-lost",
                  "delivery-pulled",
                  "delivery-pulled-lost",
                  "delivery-sharded",
                  "delivery-sharded-lost"))
          .forEach(row -> a.run(CLUSTER, row, b.address(CLUSTER)));
      // The singleton is on the older of the two.
      b.run(CLUSTER, "singleton-proxy", a.address(CLUSTER));
      b.run(CLUSTER, "singleton-typed", a.address(CLUSTER));
      a.open(OURS);
      b.open(OURS);
      WireNode.join(OURS, List.of(a, b));
      OVER_OURS.forEach(row -> a.run(OURS, row, b.address(OURS)));
      b.run(OURS, "singleton-proxy", a.address(OURS));
      return WireRun.end(receiver, List.of(a, b));
    }
  }

  static Stream<Arguments> rows() {
    return WireRun.arguments(ROWS);
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

  @Test
  void typedSingleton_onTheOtherNode_keepsTheTrace() {
    run.assertTraces(
        CLUSTER,
        "singleton-typed",
        """
        process Begin at b/user/singleton-typed
          process Question at a/system/singletonManagertyped-only/typed-only
            process Done at b/user/singleton-typed
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

  /** Pekko chooses the member that answers a client. */
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

  /** Each message has its own trace, whole, wherever its entity was and whether it waited. */
  @ParameterizedTest
  @CsvSource({
    "sharding-moves, Work, sharded/3/3",
    "sharding-typed-moves, Question, typed-entity/%s/mover"
  })
  void shard_thatMoves_takesNoTraceWithIt(String row, String message, String entity) {
    List<ReceivedSpan> spans = run.spansOf(CLUSTER, row);
    Map<String, List<ReceivedSpan>> traces =
        spans.stream().collect(Collectors.groupingBy(ReceivedSpan::traceId));
    assertThat(traces).hasSize(301);
    String path = "/system/sharding/" + entity.formatted(Math.abs("mover".hashCode() % 10));
    String[] expected =
        Stream.of("a", "b")
            .map(
                node ->
                    """
                    process Begin at a/user/%1$s
                      process %2$s at %3$s%4$s
                        process Done at a/user/%1$s
                    """
                        .formatted(row, message, node, path))
            .toArray(String[]::new);
    // A region that hands off may lose a message, by Pekko's design: it is a dead letter then.
    String lost =
        "process Begin at a/user/%s\n  process DeadLetter at a/user/dead-letters\n".formatted(row);
    List<String> trees = traces.values().stream().map(WireRun::tree).toList();
    assertThat(trees.stream().filter(lost::equals).count()).as("lost by Pekko").isLessThan(10);
    assertThat(trees.stream().filter(t -> !t.equals(lost)).collect(Collectors.toSet()))
        .as("before and after the shard moved")
        .containsExactlyInAnyOrder(expected);
    // The first of all waits for its shard, too, but at a.
    assertThat(spans)
        .filteredOn(s -> s.name().equals("process " + message))
        .filteredOn(s -> "b".equals(s.resource().get("service.name")))
        .as("waited in the hand-off")
        .anyMatch(s -> s.attributes().get("pekko.buffer.wait") instanceof Double d && d > 0);
  }

  /** The same entity, which a message made at first: when it was written down, but in its trace. */
  @Test
  void entity_thatIsRememberedWhereItsShardMovedTo_startsInNoTrace() {
    String entity = "/system/sharding/starting/4/4";
    Set<String> traces =
        run.spans().stream()
            .filter(s -> CLUSTER.equals(s.system()))
            .filter(s -> s.path() != null && s.path().endsWith(entity))
            .map(ReceivedSpan::traceId)
            .collect(Collectors.toSet());
    assertThat(
            WireRun.tree(run.spans().stream().filter(s -> traces.contains(s.traceId())).toList()))
        .isEqualTo(
            """
            process Begin at a/user/remembered-moves
              process Started at a/system/sharding/starting/4/4
              process Work at a/system/sharding/starting/4/4
                process Done at a/user/remembered-moves
            process Begin at a/user/remembered-moves
              process Work at b/system/sharding/starting/4/4
                process Done at a/user/remembered-moves
            process Started at b/system/sharding/starting/4/4
            """);
  }

  /** Each message is delivered in the trace in which it was produced. */
  @ParameterizedTest
  @CsvSource({
    "delivery, b/user/delivery-host/consumer-0",
    "delivery-pulled, b/user/worker",
    "delivery-sharded, b/system/sharding/jobs/%s/entity/consumer"
  })
  void reliableDelivery_ofThree_areThreeTraces(String row, String consumer) {
    String first = row.equals("delivery") ? registered(row) : demanded(row);
    String at = consumer.formatted(Math.abs("entity".hashCode() % 10));
    run.assertTraces(CLUSTER, row, delivered(row, at, "", "").repeat(3) + first);
  }

  /** The second was dropped when it came for the first time, and sent again. */
  @ParameterizedTest
  @CsvSource({
    "delivery-lost, b/user/delivery-host/consumer-2",
    "delivery-pulled-lost, b/user/losing-worker",
    "delivery-sharded-lost, b/system/sharding/jobs/%s/losing-entity/consumer"
  })
  void reliableDelivery_ofAMessageThatGotLost_keepsTheTraceOfEach(String row, String consumer) {
    String first = row.equals("delivery-lost") ? registered(row) : demanded(row);
    String at = consumer.formatted(Math.abs("losing-entity".hashCode() % 10));
    String dropped = "  process Dropped at a/user/%s-told\n".formatted(row);
    String resent = "  process Resent at a/user/%s-told\n".formatted(row);
    run.assertTraces(
        CLUSTER,
        row,
        delivered(row, at, dropped, resent) + delivered(row, at, "", "").repeat(2) + first);
  }

  /** Also the demand for the next message is in the trace of the one before. */
  private static String delivered(String row, String consumer, String before, String after) {
    return "process Begin at a/user/%s\n".formatted(row)
        + "  process Delivery at %s\n".formatted(consumer)
        + "    process Got at a/user/%s-told\n".formatted(row)
        + before
        + "  "
        + demanded(row)
        + after;
  }

  /** The demand for the first message is there once there is a consumer. */
  private static String registered(String row) {
    return "process Consume at b/user/delivery-host\n  " + demanded(row);
  }

  private static String demanded(String row) {
    return "process RequestNext at a/user/" + row + "\n";
  }

  @Test
  void noMessage_ofAnyRow_isADeadLetter() {
    run.assertNoDeadLetters(List.of(CLUSTER, OURS));
  }

  @Test
  void noSpan_ofAnyNode_hasAParentThatIsMissing() {
    assertThat(WireRun.tree(run.spans())).doesNotContain("(parent missing)");
  }
}
