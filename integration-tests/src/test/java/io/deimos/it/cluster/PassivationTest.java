// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.SpanTree;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import wire.Passivating;
import wire.Rows;

/** Entities that are put to rest, in a cluster of one: what that is part of, and what is not. */
@OnOneJdk
class PassivationTest {
  private static final String CLUSTER = "cluster";

  private static final Map<String, String> ALL = Rows.of(Passivating::addTo).traces();

  /** No trace may be kept alive by these: */
  private static final Set<String> TICKED =
      Set.of("passivate-idle", "passivate-timeout", "passivate-typed-timeout");

  private static final Map<Jdk, WireRun> RUNS = new ConcurrentHashMap<>();

  private final WireRun run;

  PassivationTest(Jdk jdk) {
    run = RUNS.computeIfAbsent(jdk, PassivationTest::runAll);
  }

  private static WireRun runAll(Jdk jdk) {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start(jdk, "a", receiver, n -> n.eitherForm())) {
      a.open(CLUSTER);
      WireNode.join(CLUSTER, List.of(a));
      ALL.keySet().forEach(row -> a.run(CLUSTER, row, a.address(CLUSTER)));
      a.end();
      return new WireRun(receiver.spans(), receiver.points(), List.of(a));
    }
  }

  static Stream<Arguments> rows() {
    return WireRun.arguments(ALL).filter(row -> !TICKED.contains(row.get()[0]));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("rows")
  void entity_thatAsksToBePutToRest_hasItsStopMessageInTheSameTrace(String row, String expected) {
    run.assertTraces(CLUSTER, row, expected);
  }

  /** The shard kept it until the entity had stopped; the next entity has it from there. */
  @Test
  void message_forAnEntityThatStops_waitsForTheNext() {
    assertThat(run.spansOf(CLUSTER, "passivate-buffered"))
        .filteredOn(s -> s.name().equals("process Work"))
        .hasSize(2)
        .allSatisfy(s -> assertThat(s.text("pekko.buffer.wait")).as("%s", s).isNotNull());
  }

  static Stream<Arguments> ticked() {
    return WireRun.arguments(ALL).filter(row -> TICKED.contains(row.get()[0]));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ticked")
  void entity_thatIsPutToRestByATick_isNotInTheTraceOfItsLastMessage(String row, String expected) {
    assertThat(WireRun.tree(ofEntity(row))).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"passivate-timeout", "passivate-typed-timeout"})
  void timeout_ofAnEntity_isLinkedToWhatArmedIt(String row) {
    List<ReceivedSpan> spans = ofEntity(row);
    Map<String, ReceivedSpan> byId = SpanTree.byId(spans);
    assertThat(spans)
        .filteredOn(s -> s.isRoot() && !s.name().equals("process Begin"))
        .singleElement()
        .satisfies(
            tick ->
                assertThat(tick.links())
                    .singleElement()
                    .satisfies(
                        link -> {
                          assertThat(link.attributes()).containsEntry("deimos.link.reason", "tick");
                          assertThat(byId.get(link.spanId()))
                              .extracting(ReceivedSpan::name)
                              .isIn("process Work", "process Question");
                        }));
  }

  /** A row's traces, and those of its entity that begin elsewhere. */
  private List<ReceivedSpan> ofEntity(String row) {
    Set<String> traces =
        run.spans().stream()
            .filter(s -> CLUSTER.equals(s.system()))
            .filter(
                s -> s.path() != null && s.path().matches(".*/(user|sharding)/" + row + "(/.*)?"))
            .map(ReceivedSpan::traceId)
            .collect(Collectors.toSet());
    return run.spans().stream().filter(s -> traces.contains(s.traceId())).toList();
  }
}
