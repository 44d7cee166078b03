// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import wire.BasicRows;
import wire.ClusterRows;
import wire.Rows;

/**
 * A cluster in the middle of an upgrade: one node has the last release, the other this tree. Traces
 * go on both ways, the transport works between them, and both are on one page.
 *
 * <p>The release is the jar that {@code -Dit.release} names, else {@code dist/deimos.jar} of this
 * checkout, as {@code ./release} leaves it. Where there is neither, as before the first release,
 * both nodes have this tree: then the test holds the rows, but says nothing of an upgrade.
 */
class UpgradeTest {
  private static final String CLUSTER = "deimos-cluster";
  private static final List<String> BOTH_WAYS = List.of("tell", "ask", "ask-typed", "baggage");
  private static final Map<String, String> ROWS =
      Rows.of(BasicRows::addTo, ClusterRows::addTo).traces();

  private static WireRun run;
  private static String onPage = "";
  private static final List<List<? extends Config>> transports = new ArrayList<>();

  @BeforeAll
  static void runAll() {
    String port = String.valueOf(Layout.freePort());
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start("a", receiver, n -> page(n.release(), port))) {
      RunningPage page = RunningPage.of(a.jvm());
      try (WireNode b = WireNode.start("b", receiver, n -> page(n.deimos(), port))) {
        b.jvm().awaitErr("that it joins", l -> l.startsWith("deimos: on the page at "));
        for (String system : List.of("tcp", "deimos")) {
          a.open(system);
          b.open(system);
          for (String row : BOTH_WAYS) {
            a.run(system, row, b.address(system));
            b.run(system, row, a.address(system));
          }
        }
        a.open(CLUSTER);
        b.open(CLUSTER);
        WireNode.join(CLUSTER, List.of(a, b));
        a.run(CLUSTER, "sharding", b.address(CLUSTER));
        String other = idOf(page, b.jvm().pid());
        onPage = traceOverBoth(page, other);
        readTransports(page, other);
        run = WireRun.end(receiver, List.of(a, b));
      }
    }
  }

  private static AgentJvm.Builder page(AgentJvm.Builder node, String port) {
    return node.property("deimos.page.enabled", "true").property("deimos.page.port", port);
  }

  /** Reads the streams of our transport at each; "tcp" has none. */
  private static void readTransports(RunningPage page, String other) {
    for (String path : List.of("/api/v1/system", "/nodes/" + other + "/api/v1/system")) {
      transports.add(
          page.await(path, said -> !said.getConfigList("transport").isEmpty())
              .getConfigList("transport"));
    }
  }

  private static String idOf(RunningPage page, long pid) {
    return page.json("/api/v1/nodes").getConfigList("nodes").stream()
        .filter(node -> node.getLong("pid") == pid)
        .map(node -> node.getString("id"))
        .findFirst()
        .orElseThrow();
  }

  /** A trace with spans of the process that serves the page and of the other, as the page tells. */
  private static String traceOverBoth(RunningPage page, String id) {
    return Eventually.see(
        () -> {
          for (Config trace : page.traces("?limit=1000")) {
            String told = page.get("/api/v1/traces/" + trace.getString("traceId")).body();
            if (told.contains("\"node\":null") && told.contains("\"node\":\"" + id + "\"")) {
              return told;
            }
          }
          return "";
        },
        told -> !told.isEmpty(),
        last -> "no trace over both processes");
  }

  @ParameterizedTest
  @CsvSource({
    "tcp, tell", "tcp, ask", "tcp, ask-typed", "tcp, baggage",
    "deimos, tell", "deimos, ask", "deimos, ask-typed", "deimos, baggage"
  })
  void row_betweenTheReleaseAndThisTree_isOneTraceEachWay(String system, String row) {
    String there = expected(row);
    String back = there.replace(" at a/", " at ?/").replace(" at b/", " at a/").replace("?", "b");
    run.assertTraces(system, row, there + back);
  }

  private static String expected(String row) {
    return Objects.requireNonNull(ROWS.get(row), row);
  }

  @Test
  void shardedEntity_inAClusterOfBoth_isInTheTraceOfItsSender() {
    run.assertTraces(CLUSTER, "sharding", expected("sharding"));
  }

  @Test
  void transport_ofEach_hasSentToTheOther() {
    assertThat(transports).hasSize(2).noneMatch(List::isEmpty);
  }

  @Test
  void page_ofTheRelease_hasTracesOverBoth() {
    assertThat(onPage).contains("process ", "/user/");
  }
}
