// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.FailingAgent;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * The sample as {@code ./demo --nodes 3} runs it: a cluster of three processes on one page, looked
 * at in a browser while one of them is killed. The clock of one is two minutes behind.
 */
class ShopNodesTest {
  private static final Duration BEHIND = Duration.ofMinutes(-2);

  @Test
  void page_ofThreeNodes_isSwitchedHasTracesOverTwoAndSeesTheKilledOneGone() throws Exception {
    int port = Layout.freePort();
    int seed = Layout.freePort();
    RunningPage page = new RunningPage("http://127.0.0.1:" + port);
    try (AgentJvm first =
        node(AgentJvm.on(Jdk.own()).agent(Layout.deimos()), port, seed)
            .property("pekko.remote.artery.canonical.port", Integer.toString(seed))
            .start("nodes-first")) {
      first.awaitErr("its page", l -> l.startsWith("deimos: page at "));
      AgentJvm.Builder wrong = AgentJvm.on(Jdk.own()).option(FailingAgent.clock(BEHIND));
      try (AgentJvm second =
              node(wrong.agent(Layout.eitherForm()), port, seed).start("nodes-second");
          AgentJvm third =
              node(AgentJvm.on(Jdk.own()).agent(Layout.eitherForm()), port, seed)
                  .start("nodes-third")) {
        for (AgentJvm joined : List.of(second, third)) {
          joined.awaitErr("that it is on the page", l -> l.startsWith("deimos: on the page at "));
        }
        awaitTraceOver(page, idOf(page, second));
        assertThat(look(page.url(), second, third))
            .contains(
                "all: 3 processes",
                "this node: shop " + second.pid(),
                "trace: 2 processes or more",
                "gone: shop " + third.pid());
        for (AgentJvm left : List.of(first, second)) {
          assertThat(left.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
          assertThat(left.isAlive()).isTrue();
        }
        awaitMoreMessages(page, first);
        awaitMoreMessages(page, second);
      }
    }
  }

  private static AgentJvm.Builder node(AgentJvm.Builder jvm, int port, int seed) {
    return jvm.property("deimos.page.port", Integer.toString(port))
        .property("otel.service.name", "shop")
        .property("pekko.cluster.seed-nodes.0", "pekko://shop@127.0.0.1:" + seed)
        .property("shop.http.port", "0")
        .property("shop.load.orders-per-second", "5")
        .property("shop.load.stock-moves-per-second", "30")
        .classPath(List.of())
        .pekkoAnd("pekko-http")
        .runs("-jar", Layout.root().resolve("samples/shop/target/shop.jar").toString());
  }

  private static Optional<? extends Config> find(RunningPage page, AgentJvm jvm) {
    return page.json("/api/v1/nodes").getConfigList("nodes").stream()
        .filter(node -> node.getLong("pid") == jvm.pid())
        .findFirst();
  }

  private static Config nodeOf(RunningPage page, AgentJvm jvm) {
    return find(page, jvm).orElseThrow();
  }

  /** Its card may come a moment after it has joined. */
  private static String idOf(RunningPage page, AgentJvm jvm) {
    Eventually.await(
        () -> find(page, jvm).isPresent(),
        () -> "process " + jvm.pid() + " on the page: " + page.json("/api/v1/nodes"));
    return nodeOf(page, jvm).getString("id");
  }

  private static void awaitMoreMessages(RunningPage page, AgentJvm jvm) {
    long before = nodeOf(page, jvm).getLong("messages");
    Eventually.await(
        () -> nodeOf(page, jvm).getLong("messages") > before + 100,
        () -> "100 messages more than " + before + ": " + nodeOf(page, jvm));
  }

  /** A whole trace that stays, with spans of this process and of another. */
  private static void awaitTraceOver(RunningPage page, String node) {
    Eventually.await(
        () ->
            page.traces("?limit=300").stream()
                .filter(trace -> trace.getInt("nodes") > 1)
                .map(trace -> page.get("/api/traces/" + trace.getString("traceId")).body())
                .anyMatch(trace -> isOf(trace, node)),
        () -> "a whole trace over " + node + " and another");
  }

  private static boolean isOf(String trace, String node) {
    return trace.contains("\"node\":\"" + node + "\"") && trace.contains("\"complete\":true");
  }

  /**
   * Has the browser look, and kills the process when it is to be seen as gone.
   *
   * @return what it has seen
   */
  private static List<String> look(String url, AgentJvm shown, AgentJvm toKill) throws Exception {
    String seen =
        Browser.looks(
            "nodes.mjs",
            url,
            List.of(Long.toString(shown.pid()), Long.toString(toKill.pid())),
            Map.of(),
            line -> {
              if (line.equals("kill it")) {
                assertThat(ProcessHandle.of(toKill.pid()).orElseThrow().destroyForcibly()).isTrue();
              }
            });
    return seen.lines().toList();
  }
}
