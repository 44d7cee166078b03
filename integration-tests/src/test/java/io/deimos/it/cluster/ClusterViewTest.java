// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** The cluster's view of a page that three nodes have joined, before and after one is killed. */
class ClusterViewTest {
  private static final int ENTITIES = 30;

  /** Three JVMs start at once. */
  private static final Duration PATIENCE = Duration.ofMinutes(4);

  private final RunningPage page;
  private final int port = Layout.freePort();

  ClusterViewTest() {
    page = new RunningPage("http://127.0.0.1:" + port);
  }

  /** One that nobody downs: who cannot be reached stays a member. */
  private AgentJvm.Builder node(Path agent) {
    return AgentJvm.on(Jdk.own())
        .agent(agent)
        .classPath(Layout.clusterClassPath())
        .pekkoAlone()
        .property("deimos.page.port", Integer.toString(port))
        .property("deimos.remote.enabled", "on")
        .property("pekko.cluster.downing-provider-class", "")
        .property("pekko.cluster.roles.0", "shop")
        .runs("transport.ClusterNode");
  }

  @Test
  void cluster_ofThree_isOneAnswerAndShowsWhomTheOthersMiss() {
    try (AgentJvm a = node(Layout.deimos()).start("view-a")) {
      a.awaitErr("its page", line -> line.startsWith("deimos: page at "));
      try (AgentJvm b = node(Layout.eitherForm()).start("view-b");
          AgentJvm c =
              node(Layout.eitherForm()).property("deimos.stuck.threshold", "7s").start("view-c")) {
        String first = address(a);
        List<String> addresses = List.of(first, address(b), address(c));
        List.of(a, b, c).forEach(node -> node.tell("join " + first));
        await(
            "three members that are up",
            answer ->
                members(answer).stream()
                    .filter(member -> member.getString("status").equals("up"))
                    .map(member -> member.getString("address"))
                    .toList()
                    .containsAll(addresses));
        for (int i = 0; i < ENTITIES; i++) {
          a.tell("shard entity" + i);
        }
        Config all =
            await(
                "their processes, a singleton, shards and links",
                answer ->
                    members(answer).stream().noneMatch(member -> member.getIsNull("process"))
                        && shards(answer) > 2
                        && singletonPlaces(answer) == 1
                        && links(answer, "messagesPerSecond") > 2
                        && links(answer, "batchMean") > 2
                        && links(answer, "tracedP50Nanos") > 0);
        assertThat(members(all)).hasSize(3);
        assertThat(members(all))
            .allSatisfy(
                member -> {
                  assertThat(member.getStringList("roles")).containsExactly("shop");
                  assertThat(member.getString("dataCenter")).isEqualTo("default");
                  assertThat(member.getStringList("unreachableFrom")).isEmpty();
                });
        assertThat(members(all)).filteredOn(member -> member.getBoolean("leader")).hasSize(1);
        Config known =
            await(
                "the clocks of both that have joined",
                answer ->
                    processes(answer).stream()
                        .skip(1)
                        .noneMatch(process -> process.getIsNull("clockOffsetNanos")));
        assertThat(processes(known).subList(1, 3))
            .allSatisfy(
                process ->
                    assertThat(Math.abs(process.getLong("clockOffsetNanos")))
                        .as("one machine has one clock, but for how it was read")
                        .isLessThan(1_000_000_000L + process.getLong("clockErrorNanos")));
        await(
            "the setting that differs",
            answer ->
                answer.getConfigList("differences").stream()
                    .anyMatch(one -> one.getString("what").equals("deimos.stuck.threshold")));

        c.close(); // killed
        Config after =
            await(
                "that the other two cannot reach it",
                answer ->
                    members(answer).stream()
                        .filter(member -> member.getString("address").equals(addresses.get(2)))
                        .anyMatch(
                            member ->
                                member
                                    .getStringList("unreachableFrom")
                                    .containsAll(addresses.subList(0, 2))));
        assertThat(processes(after))
            .extracting(process -> process.getString("state"))
            .containsExactly("serves", "joined", "gone");
        assertThat(members(after))
            .filteredOn(member -> member.getStringList("unreachableFrom").isEmpty())
            .extracting(member -> member.getString("address"))
            .containsExactlyInAnyOrderElementsOf(addresses.subList(0, 2));
        assertThat(page.tool("cluster")).contains("unreachableFrom");
        for (AgentJvm left : List.of(a, b)) {
          assertThat(left.err()).noneMatch(l -> l.contains("a failure of Deimos itself"));
        }
      }
    }
  }

  private static String address(AgentJvm node) {
    return node.awaitOut("its address", line -> line.startsWith("@address "))
        .substring("@address ".length());
  }

  private static List<? extends Config> processes(Config answer) {
    return answer.getConfigList("processes");
  }

  /** The view of one cluster; none while there is none, or more. */
  private static List<? extends Config> members(Config answer) {
    List<? extends Config> clusters = answer.getConfigList("clusters");
    return clusters.size() == 1 ? clusters.get(0).getConfigList("members") : List.of();
  }

  private static long shards(Config answer) {
    return answer.getConfigList("clusters").stream()
        .flatMap(cluster -> cluster.getConfigList("sharding").stream())
        .flatMap(type -> type.getConfigList("regions").stream())
        .mapToLong(region -> region.getLong("shards"))
        .sum();
  }

  private static int singletonPlaces(Config answer) {
    return answer.getConfigList("clusters").stream()
        .flatMap(cluster -> cluster.getConfigList("singletons").stream())
        .filter(singleton -> singleton.getString("name").equals("single"))
        .mapToInt(singleton -> singleton.getStringList("addresses").size())
        .sum();
  }

  /** Those between processes of the page of which this is known. */
  private static long links(Config answer, String field) {
    return answer.getConfigList("links").stream()
        .filter(link -> !link.getIsNull("from") && !link.getIsNull("toProcess"))
        .filter(link -> !link.getIsNull(field))
        .count();
  }

  private Config await(String what, Predicate<Config> condition) {
    AtomicReference<Config> last = new AtomicReference<>();
    new Eventually()
        .await(
            () -> {
              last.set(page.json("/api/v1/cluster"));
              return condition.test(last.get());
            },
            PATIENCE,
            () -> what + ", but: " + last);
    return Objects.requireNonNull(last.get());
  }
}
