// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Three processes with one port and no other setting have one page. */
class SeveralJvmsTest {
  @Test
  void processes_killedOneAfterTheOther_areSeenByTheNextAndGoOn() {
    int port = Layout.freePort();
    RunningPage page = new RunningPage("http://127.0.0.1:" + port);
    try (AgentJvm first = start("several-first", port)) {
      first.awaitErr("its page", l -> l.startsWith("deimos: page at "));
      try (AgentJvm second = start("several-second", port);
          AgentJvm third = start("several-third", port)) {
        awaitJoined(second);
        awaitJoined(third);
        List<? extends Config> nodes = await(page, "three", all -> all.size() == 3);
        assertThat(nodes)
            .extracting(node -> node.getLong("pid"))
            .containsExactlyInAnyOrder(first.pid(), second.pid(), third.pid());
        String id = nodes.get(1).getString("id");
        new Eventually()
            .await(
                () -> page.get("/nodes/" + id + "/api/v1/actors").body().contains("scenarios."),
                Eventually.DEADLINE,
                () -> "the actors of " + id);

        long killedAt = System.nanoTime();
        kill(first);
        await(page, "another that serves", all -> !all.isEmpty());
        long tookMillis = (System.nanoTime() - killedAt) / 1_000_000;
        System.out.println("SeveralJvmsTest: another served the page after " + tookMillis + " ms");
        List<? extends Config> left = await(page, "both that are left", all -> all.size() == 2);
        AgentJvm next = left.get(0).getLong("pid") == second.pid() ? second : third;
        AgentJvm last = next == second ? third : second;
        kill(last);
        await(page, "one gone", all -> states(all).equals(List.of("serves", "gone")));
        assertThat(page.get("/api/v1/trouble").body()).contains("A process has left the page");
        assertThat(next.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
        assertThat(next.stop()).as("exit code of a JVM ended by SIGTERM").isEqualTo(143);
        assertThat(next.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
      }
    }
  }

  private static AgentJvm start(String name, int port) {
    AgentJvm jvm =
        AgentJvm.on(Jdk.own())
            .agent(Layout.deimos())
            .property("deimos.page.port", Integer.toString(port))
            .start(name);
    jvm.tell("run steady");
    return jvm;
  }

  private static void awaitJoined(AgentJvm jvm) {
    jvm.awaitErr("that it is on the page", l -> l.startsWith("deimos: on the page at "));
  }

  private static void kill(AgentJvm jvm) {
    assertThat(ProcessHandle.of(jvm.pid()).orElseThrow().destroyForcibly()).isTrue();
  }

  private static List<String> states(List<? extends Config> nodes) {
    return nodes.stream().map(node -> node.getString("state")).toList();
  }

  private static List<? extends Config> await(
      RunningPage page, String what, Predicate<List<? extends Config>> condition) {
    AtomicReference<List<? extends Config>> last = new AtomicReference<>(List.of());
    new Eventually()
        .await(
            () -> {
              last.set(nodes(page));
              return condition.test(Objects.requireNonNull(last.get()));
            },
            Eventually.DEADLINE,
            () -> what + " on the page, but: " + last);
    return Objects.requireNonNull(last.get());
  }

  /** None while nobody serves. */
  private static List<? extends Config> nodes(RunningPage page) {
    try {
      return ConfigFactory.parseString(page.get("/api/v1/nodes").body()).getConfigList("nodes");
    } catch (java.io.UncheckedIOException e) {
      return List.of();
    }
  }
}
