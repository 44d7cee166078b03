// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Finding;
import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.Nodes.Said;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.observer.TroubleGroup;
import io.deimos.agent.rules.AllRules;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.counts.ClusterLook;
import io.deimos.recorder.counts.Readings;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Words of several nodes that cannot all be right, and those that look like it. */
class ClusterWatchTest {
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final Duration SHORT = Duration.ofSeconds(5);

  private final List<OneNode> processes = new ArrayList<>();
  private final ClusterWatch watch =
      new ClusterWatch(() -> processes.stream().map(OneNode::says).toList(), Settings::defaults);

  /** A process with a node, as the page knows it. */
  private static final class OneNode {
    private final String self;
    private Node.State state = Node.State.JOINED;
    private List<String> members = List.of();
    private String leader;
    private String dataCenter = "default";
    private List<String> origins = List.of();
    private final List<Readings.Home> homes = new ArrayList<>();
    private long readAtNanos = 1;

    OneNode(String self) {
      this.self = self;
      this.leader = self;
    }

    OneNode sees(String leads, String... all) {
      leader = leads;
      members = List.of(all);
      return this;
    }

    OneNode has(String type, String... ids) {
      homes.add(new Readings.Home(self, type, Arrays.asList(ids)));
      return this;
    }

    OneNode in(String center) {
      dataCenter = center;
      return this;
    }

    OneNode finds(String... seeds) {
      origins = List.of(seeds);
      return this;
    }

    Said says() {
      ProcessStatus status =
          new ProcessStatus(
              new ProcessStatus.Identity(
                  self, "shop", List.of(), new ProcessStatus.Versions("1", "1", "17"), "", 7, 1),
              1,
              new ProcessStatus.Counts(1, 1, 1, 1, 1, 1, 0, 0));
      List<ClusterLook.Member> seen =
          members.stream()
              .map(at -> new ClusterLook.Member(at, "up", dataCenter, List.of(), "0", 1))
              .toList();
      ClusterLook view =
          new ClusterLook(
              "shop",
              self,
              seen,
              List.of(new ClusterLook.Leader("", leader)),
              List.of(),
              origins,
              0);
      return new Said(
          new Node(status, state, 1, 0, 0, 0, null),
          new ClusterCard(
              List.of(view),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              List.of(),
              new ClusterCard.Alive(readAtNanos, homes),
              0));
    }
  }

  private static String at(String name) {
    return "pekko://shop@" + name + ":1";
  }

  private OneNode node(String name) {
    OneNode made = new OneNode(at(name));
    processes.add(made);
    return made;
  }

  /** All have a look at themselves, some time later. */
  private void later(Duration by) {
    processes.forEach(process -> process.readAtNanos += by.toNanos());
    watch.compare();
  }

  private List<Finding> findings() {
    Checks checks = AllRules.ofOthers(Settings.defaults()).with(watch);
    return checks.run(Scan.unbounded()).findings();
  }

  @Test
  void singleton_onTwoNodesForLong_isTroubleWithItsWitnessesUntilItEnds() {
    node("a").sees(at("a"), at("a"), at("b")).has("", "/user/stock");
    OneNode second = node("b").sees(at("a"), at("a"), at("b")).has("", "/user/stock");
    watch.compare();
    later(SHORT);
    assertThat(watch.trouble()).as("not for long enough").isEmpty();
    later(LONG);

    TroubleGroup group = watch.trouble().get(0);
    assertThat(group.kind()).isEqualTo("cluster");
    assertThat(group.count()).isEqualTo(1);
    TroubleGroup.Example example = group.examples().get(0);
    assertThat(example.story())
        .isEqualTo("The singleton /user/stock runs on several nodes at once: a:1, b:1.");
    assertThat(example.actorPath()).isEqualTo("pekko://shop/user/stock");
    assertThat(example.stack().lines())
        .hasSize(2)
        .allMatch(line -> line.startsWith("since ") && line.endsWith("runs it: /user/stock"))
        .anyMatch(line -> line.contains("shop 7 at a:1"));
    Finding finding = findings().get(0);
    assertThat(finding.rule()).isEqualTo("alive-twice");
    assertThat(finding.severity()).isEqualTo(Finding.Severity.CRITICAL);
    assertThat(finding.where().actor()).isEqualTo("pekko://shop/user/stock");
    assertThat(finding.since()).isEqualTo(group.firstEpochNanos() / 1_000_000);

    second.homes.clear();
    later(SHORT);
    assertThat(findings()).isEmpty();
    assertThat(watch.trouble().get(0).examples().get(0).story()).contains("It was so for ");

    second.has("", "/user/stock");
    later(SHORT);
    later(LONG);
    assertThat(watch.trouble()).as("it is known again").hasSize(1);
    assertThat(watch.trouble().get(0).count()).isEqualTo(2);
  }

  /** The last words of the old node come late, or never end: it says nothing new. */
  @Test
  void singleton_handedOver_isNoTroubleHoweverLateTheOldNodeIs() {
    OneNode old = node("a").sees(at("a"), at("a"), at("b")).has("", "/user/stock");
    node("b").sees(at("a"), at("a"), at("b")).has("", "/user/stock");
    for (int i = 0; i < 100; i++) {
      later(LONG);
      old.readAtNanos = 7;
    }
    assertThat(watch.trouble()).isEmpty();
    old.homes.clear();
    later(LONG);
    assertThat(watch.trouble()).isEmpty();
  }

  @Test
  void singleton_ofEachDataCenterOrOfStrangers_isNoTrouble() {
    node("a").in("east").sees(at("a"), at("a"), at("b")).has("", "/user/stock");
    node("b").in("west").sees(at("b"), at("a"), at("b")).has("", "/user/stock");
    node("c").sees(at("c"), at("c")).finds(at("c")).has("", "/user/stock");
    later(SHORT);
    later(LONG);
    assertThat(watch.trouble()).isEmpty();
  }

  @Test
  void shards_onTwoNodes_areOneIncidentOfTheirType() {
    node("a").sees(at("a"), at("a"), at("b")).has("carts", "1", "3", "7").has("other", "9");
    node("b").sees(at("a"), at("a"), at("b")).has("carts", "7", "2", "3");
    later(SHORT);
    later(LONG);
    assertThat(watch.trouble())
        .singleElement()
        .satisfies(
            group ->
                assertThat(group.examples().get(0).story())
                    .isEqualTo(
                        "Shards of carts are alive on several nodes at once: 3, 7; on a:1, b:1."));
  }

  @Test
  void views_ofDifferentLeaders_areFoundAfterAMinuteOfTheirClocks() {
    String[] all = {at("a"), at("b"), at("c")};
    node("a").sees(at("a"), all);
    node("b").sees(at("a"), all);
    OneNode other = node("c").sees(at("c"), all);
    later(SHORT);
    later(Duration.ofSeconds(50));
    assertThat(findings()).as("a resolver may still be at it").isEmpty();
    later(Duration.ofSeconds(50));
    assertThat(findings())
        .singleElement()
        .satisfies(
            one -> {
              assertThat(one.rule()).isEqualTo("cluster-views-differ");
              assertThat(one.words().says())
                  .isEqualTo(
                      "Members of the cluster shop do not agree: a:1 sees the leader a:1; c:1 sees"
                          + " the leader c:1.");
            });
    other.leader = at("a");
    other.members = List.of(at("a"), at("c"));
    later(SHORT);
    assertThat(findings()).isEmpty();
    later(LONG);
    assertThat(findings().get(0).words().says())
        .contains("a:1 sees the members a:1, b:1, c:1; c:1 sees the members a:1, c:1");
  }

  @Test
  void clusters_thatWereOneBefore_areTroubleWithoutACommonMember() {
    OneNode a = node("a").sees(at("a"), at("a"), at("b"));
    OneNode b = node("b").sees(at("a"), at("a"), at("b"));
    later(LONG);
    a.sees(at("a"), at("a")).has("", "/user/stock");
    b.sees(at("b"), at("b")).has("", "/user/stock");
    later(SHORT);
    later(LONG);
    assertThat(findings())
        .extracting(Finding::rule)
        .containsExactly("alive-twice", "clusters-apart");
    assertThat(findings().get(1).words().says())
        .isEqualTo(
            "Clusters shop that look for each other, or were one, have no member in common: a:1 is"
                + " in a cluster of a:1; b:1 is in a cluster of b:1.");
    b.state = Node.State.GONE;
    later(SHORT);
    assertThat(findings()).as("one side has ended").isEmpty();
  }

  @Test
  void clusters_withASeedNodeInCommon_shouldBeOne() {
    node("a").sees(at("a"), at("a")).finds(at("a"), at("b"));
    node("b").sees(at("b"), at("b")).finds(at("a"), at("b"));
    node("c").sees(at("c"), at("c")).finds(at("d"));
    later(SHORT);
    later(LONG);
    assertThat(findings())
        .singleElement()
        .satisfies(
            one ->
                assertThat(one.words().says())
                    .contains("b:1 is in a cluster of b:1 and looks for a:1, b:1")
                    .doesNotContain("c:1"));
  }

  /** One that joins later, or is about to leave, does not know yet what all others do. */
  @Test
  void views_ofANodeThatIsNoMemberYet_doNotCount() {
    node("a").sees(at("a"), at("a"), at("b"));
    node("b").sees(at("b"));
    later(SHORT);
    later(LONG);
    assertThat(watch.trouble()).isEmpty();
  }
}
