// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Browser;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/**
 * A cluster without a split-brain resolver, before, while and after its network is cut and both
 * sides down each other. First a node leaves and another comes, which has to look healthy.
 */
class SplitBrainTest {
  private static final int ENTITIES = 30;
  private static final String CLUSTER = "/api/v1/cluster";
  private static final String CHECK = "/api/v1/check";
  private static final String TROUBLE = "/api/v1/trouble?kind=cluster";

  private final int port = Layout.freePort();

  private AgentJvm.Builder node(Path agent) {
    return AgentJvm.on(Jdk.own())
        .agent(agent)
        .classPath(Layout.clusterClassPath())
        .pekkoAlone()
        .property("deimos.page.port", Integer.toString(port))
        .property("otel.logs.exporter", "none")
        .property("pekko.cluster.downing-provider-class", "")
        .property("pekko.remote.artery.advanced.test-mode", "on")
        .runs("transport.ClusterNode");
  }

  @Test
  void splitBrain_ofThreeNodes_isToldUntilOneSideEnds_andARollingRestartIsNot()
      throws IOException, InterruptedException {
    try (AgentJvm first = node(Layout.deimos()).start("split-first")) {
      RunningPage page = RunningPage.of(first);
      try (AgentJvm oldest = node(Layout.eitherForm()).start("split-oldest");
          AgentJvm other = node(Layout.eitherForm()).start("split-other")) {
        String at = address(oldest);
        said(oldest, "join " + at);
        awaitUp(page, at);
        for (AgentJvm joining : List.of(first, other)) {
          said(joining, "join " + at);
        }
        awaitUp(page, at, address(first), address(other));
        shards(first);
        page.await(CLUSTER, said -> singletonsAt(said).equals(List.of(at)));

        said(oldest, "leave");
        assertThat(oldest.awaitExit()).isZero();
        try (AgentJvm next = node(Layout.eitherForm()).start("split-next")) {
          said(next, "join " + address(first));
          awaitUp(page, address(first), address(other), address(next));
          shards(next);
          Config handedOver = page.await(CLUSTER, said -> singletonsAt(said).size() == 1);
          assertThat(singletonsAt(handedOver)).doesNotContain(at);
          assertThat(page.json(TROUBLE).getConfigList("groups")).as("a rolling restart").isEmpty();
          assertThat(clusterFindings(page.json(CHECK))).isEmpty();

          split(page, first, next, other);
        }
      }
    }
  }

  /** The third node is alone. */
  private void split(RunningPage page, AgentJvm first, AgentJvm next, AgentJvm alone)
      throws IOException, InterruptedException {
    for (String rule : List.of("alive-twice", "cluster-views-differ", "clusters-apart")) {
      assertThat(page.set("deimos.check." + rule + ".time", "3s")).isEqualTo(200);
    }
    List<String> others = List.of(address(first), address(next));
    others.forEach(each -> said(alone, "cut " + each));
    page.await(CHECK, has("cluster-views-differ"));
    others.forEach(each -> said(alone, "mend " + each));
    page.await(CHECK, said -> clusterFindings(said).isEmpty());

    others.forEach(each -> said(alone, "cut " + each));
    page.await(CHECK, has("cluster-views-differ"));
    others.forEach(each -> said(alone, "down " + each));
    said(first, "down " + address(alone));
    shards(alone);
    Config check =
        page.await(
            CHECK,
            said ->
                has("clusters-apart").test(said)
                    && places(said).contains("pekko://transport/user/single")
                    && places(said).contains("pekko://transport/system/sharding/entities"));
    assertThat(clusterFindings(check))
        .filteredOn(one -> one.getString("rule").equals("alive-twice"))
        .allSatisfy(
            one -> {
              assertThat(one.getString("severity")).isEqualTo("critical");
              assertThat(one.getString("says"))
                  .contains("on several nodes at once")
                  .contains(address(alone).replaceFirst(".*@", ""));
              assertThat(one.getString("advice")).contains("SplitBrainResolverProvider");
            });
    assertThat(page.command(Jdk.own(), "check").succeeds()).contains("alive-twice");
    assertThat(page.tool("check")).contains("alive-twice");
    assertThat(Browser.looks("splitbrain.mjs", page.urlWithToken()))
        .contains("did the split brain run two singletons: ")
        .contains("The singleton /user/single runs on several nodes at once: ")
        .contains("seen by: since ");

    alone.close(); // the way out: one side ends
    page.await(CHECK, said -> clusterFindings(said).isEmpty());
    List<? extends Config> groups = page.json(TROUBLE).getConfigList("groups");
    assertThat(groups)
        .anySatisfy(
            group ->
                assertThat(group.getString("latest.story"))
                    .contains("The singleton /user/single", "It was so for "));
  }

  private static String address(AgentJvm node) {
    return node.awaitOut("its address", line -> line.startsWith("@address "))
        .substring("@address ".length());
  }

  private static String said(AgentJvm node, String command) {
    return node.ask(command, Eventually.DEADLINE);
  }

  /** Has all shards get homes that have none, as soon as there is a coordinator. */
  private static void shards(AgentJvm node) {
    for (int i = 0; i < ENTITIES; i++) {
      String command = "shard entity" + i;
      Eventually.see(
          () -> said(node, command), answer -> answer.startsWith("@answer "), last -> command);
    }
  }

  private static void awaitUp(RunningPage page, String... addresses) {
    page.await(
        CLUSTER,
        said ->
            said.getConfigList("clusters").stream()
                .anyMatch(
                    cluster ->
                        cluster.getConfigList("members").stream()
                            .filter(member -> member.getString("status").equals("up"))
                            .map(member -> member.getString("address"))
                            .toList()
                            .containsAll(List.of(addresses))));
  }

  private static List<String> singletonsAt(Config said) {
    return said.getConfigList("clusters").stream()
        .flatMap(cluster -> cluster.getConfigList("singletons").stream())
        .filter(singleton -> singleton.getString("name").equals("single"))
        .flatMap(singleton -> singleton.getStringList("addresses").stream())
        .toList();
  }

  private static List<? extends Config> clusterFindings(Config check) {
    return check.getConfigList("findings").stream()
        .filter(one -> one.getString("rule").matches("alive-twice|cluster.*"))
        .toList();
  }

  private static Predicate<Config> has(String rule) {
    return said ->
        clusterFindings(said).stream().anyMatch(one -> one.getString("rule").equals(rule));
  }

  private static List<String> places(Config check) {
    return clusterFindings(check).stream()
        .filter(one -> !one.getIsNull("where.actorPath"))
        .map(one -> one.getString("where.actorPath"))
        .toList();
  }
}
