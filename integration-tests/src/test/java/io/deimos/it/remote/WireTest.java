// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import wire.BasicRows;
import wire.Rows;
import wire.TypedRows;

/**
 * A trace goes on from node to node, over every transport: two JVMs with the agent, an actor system
 * per transport in each.
 */
@OnOneJdk
class WireTest {
  private static final String[] TRANSPORTS = {
    "tcp", "tls", "deimos", "deimos-tls", "deimos-mixed", "aeron", "classic"
  };

  private static final List<String> ARTERY =
      List.of("tcp", "tls", "deimos", "deimos-tls", "deimos-mixed");

  private static final String MESSAGES = "pekko.remote.message.serialized";
  private static final String BYTES = "pekko.remote.serialization.io";
  private static final String TIME = "pekko.remote.serialization.duration";

  /** The abilities of every transport. */
  private static final Map<String, String> ROWS = Rows.of(BasicRows::addTo).traces();

  /** The same with typed actors, and with both kinds in Scala: each row and its whole trace. */
  private static final Map<String, String> ALL =
      Rows.of(BasicRows::addTo, TypedRows::addTo, Rows::addScalas).traces();

  private static final Map<Jdk, WireRun> RUNS = new ConcurrentHashMap<>();

  private final WireRun run;

  WireTest(Jdk jdk) {
    run = RUNS.computeIfAbsent(jdk, WireTest::runAll);
  }

  private static WireRun runAll(Jdk jdk) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start(jdk, "a", receiver, n -> agent(n.deimos()));
        WireNode b = WireNode.start(jdk, "b", receiver, n -> agent(n.eitherForm()))) {
      a.open(TRANSPORTS);
      b.open(TRANSPORTS);
      for (String transport : TRANSPORTS) {
        ALL.keySet().forEach(row -> a.run(transport, row, b.address(transport)));
        a.run(transport, "outside", b.address(transport));
      }
      ARTERY.forEach(transport -> awaitNamed(receiver, transport, a, b));
      return WireRun.end(receiver, List.of(a, b));
    }
  }

  private static AgentJvm.Builder agent(AgentJvm.Builder builder) {
    return builder.metricsEvery(Duration.ofMillis(500));
  }

  /** A node does not know at once whose messages come in. */
  private static void awaitNamed(OtlpReceiver receiver, String transport, WireNode a, WireNode b) {
    for (WireNode peer : List.of(a, b)) {
      receiver.awaitPoints(
          "messages of " + peer.address(transport),
          points -> {
            a.run(transport, "find", b.address(transport));
            return WireRun.most(points, MESSAGES, peer.address(transport), "receive") > 0;
          },
          Eventually.DEADLINE);
    }
  }

  static Stream<Arguments> rows() {
    return Stream.of(TRANSPORTS)
        .flatMap(
            transport ->
                ALL.entrySet().stream()
                    .map(row -> Arguments.of(transport, row.getKey(), row.getValue())));
  }

  @ParameterizedTest(name = "{0} {1}")
  @MethodSource("rows")
  void row_overTheWire_isOneTrace(String transport, String row, String expected) {
    run.assertTraces(transport, row, expected);
  }

  static List<String> artery() {
    return ARTERY;
  }

  /** Whatever moves the bytes. Every row has at least one message to b, and most have an answer. */
  @ParameterizedTest
  @MethodSource("artery")
  void serialization_overArtery_isCountedBothWaysOnBothNodes(String transport) {
    for (WireNode peer : run.nodes()) {
      int sent = ROWS.size() - 2;
      assertThat(run.most(MESSAGES, peer, transport, "transmit")).isGreaterThanOrEqualTo(sent);
      assertThat(run.most(BYTES, peer, transport, "transmit"))
          .isGreaterThanOrEqualTo(100_000.0 * (peer == run.nodes().get(1) ? 1 : 0) + 28 * sent);
      assertThat(run.most(TIME, peer, transport, "transmit")).isGreaterThanOrEqualTo(sent);
      assertThat(run.most(MESSAGES, peer, transport, "receive")).isPositive();
      assertThat(run.most(BYTES, peer, transport, "receive")).isGreaterThanOrEqualTo(28);
      assertThat(run.most(TIME, peer, transport, "receive")).isPositive();
    }
  }

  @Test
  void transport_ofOurs_ranWhereItWasAskedForAndNowhereElse() {
    assertThat(run.points())
        .filteredOn(p -> p.name().equals("deimos.remote.message.transferred"))
        .extracting(p -> p.attributes().get("pekko.system"))
        .containsOnly("deimos", "deimos-tls", "deimos-mixed");
  }

  @ParameterizedTest
  @MethodSource("transports")
  void traceState_ofARequest_isExportedWithItsActorsOnBothNodes(String transport) {
    assertThat(run.spansOf(transport, "tracestate"))
        .filteredOn(ReceivedSpan::isOurs)
        .hasSize(3)
        .extracting(ReceivedSpan::traceState)
        .containsOnly("older=1,newer=2");
    assertThat(run.spansOf(transport, "tell"))
        .isNotEmpty()
        .extracting(ReceivedSpan::traceState)
        .containsOnly("");
  }

  static List<String> transports() {
    return List.of(TRANSPORTS);
  }

  @Test
  void askTimeout_ofAnActorElsewhere_saysThatItIsElsewhere() {
    assertThat(run.spans())
        .filteredOn(s -> "timeout".equals(s.text("error.type")))
        .isNotEmpty()
        .allSatisfy(
            s -> {
              assertThat(s.text("pekko.ask.target.state")).isEqualTo("remote");
              assertThat(s.path()).matches(".*/user/(echo|typed)");
            });
  }

  @Test
  void noMessage_ofAnyRow_isADeadLetter() {
    run.assertNoDeadLetters(List.of(TRANSPORTS));
  }

  @Test
  void noSpan_ofAnyNode_hasAParentThatIsMissing() {
    assertThat(WireRun.tree(run.spans())).doesNotContain("(parent missing)");
  }
}
