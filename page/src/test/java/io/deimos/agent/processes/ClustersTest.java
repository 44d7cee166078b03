// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.json.Json;
import io.deimos.agent.nodes.ClusterCard;
import io.deimos.agent.nodes.Node;
import io.deimos.agent.nodes.Nodes.Said;
import io.deimos.agent.nodes.ProcessStatus;
import io.deimos.agent.page.Documented;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.counts.ClusterLook;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The words of several nodes, as one answer. */
class ClustersTest {
  private static final String A = "pekko://shop@a:1";
  private static final String B = "pekko://shop@b:1";
  private static final String C = "pekko://shop@c:1";

  /** The words of one process. */
  private static final class Node1 {
    private final String id;
    private final String self;
    private final List<ClusterLook.Member> members = new ArrayList<>();
    private final List<ClusterLook.Unreachable> unreachable = new ArrayList<>();
    private final List<ClusterCard.Setting> settings = new ArrayList<>();
    private final List<ClusterCard.Line> lines = new ArrayList<>();
    private String version = "1";
    private Node.State state = Node.State.JOINED;

    Node1(String id, String self) {
      this.id = id;
      this.self = self;
    }

    Node1 sees(String address, String status) {
      members.add(new ClusterLook.Member(address, status, "default", List.of("web"), "0.0.0", 1));
      return this;
    }

    Node1 misses(String address, String... from) {
      unreachable.add(new ClusterLook.Unreachable(address, List.of(from)));
      return this;
    }

    Said says() {
      ProcessStatus card =
          new ProcessStatus(
              new ProcessStatus.Identity(
                  id, "shop", List.of(), new ProcessStatus.Versions(version, "1", "17"), "", 7, 1),
              1,
              new ProcessStatus.Counts(1, 1, 1, 1, 1, 1, 0, 0));
      boolean isFirst = self.equals(A);
      return new Said(
          new Node(card, state, 1, 0, 0, 0, null),
          new ClusterCard(
              List.of(
                  new ClusterLook(
                      "shop",
                      self,
                      members,
                      List.of(new ClusterLook.Leader("", A)),
                      unreachable,
                      List.of(),
                      0)),
              List.of(new ClusterCard.Singleton("shop", "stock", isFirst)),
              List.of(new ClusterCard.Shards("shop", "carts", 3, 40, 20, 1)),
              List.of(new ClusterCard.Heavy("shop", "carts", isFirst ? "7" : "9", isFirst ? 5 : 6)),
              lines.isEmpty() ? List.of(line(isFirst ? B : A, isFirst ? 9 : 2)) : lines,
              settings,
              new ClusterCard.Alive(0, List.of()),
              0));
    }
  }

  private static ClusterCard.Line line(String peer, double messagesPerSecond) {
    return new ClusterCard.Line(
        peer, new ClusterCard.Rate(messagesPerSecond, 1), 0, 0L, 1.0, 0.1, 1.0, 1.0);
  }

  @Test
  void members_oneKilled_isUnreachableFromTheOthersAndKeepsItsProcess() throws Exception {
    Node1 gone = new Node1("c", C).sees(A, "up").sees(B, "up").sees(C, "up");
    gone.state = Node.State.GONE;
    Clusters all =
        new Clusters(
            List.of(
                new Node1("a", A).sees(A, "up").sees(B, "up").sees(C, "up").misses(C, A, B).says(),
                new Node1("b", B).sees(A, "up").sees(B, "leaving").sees(C, "up").misses(C).says(),
                gone.says()));
    assertThat(all.clusters()).hasSize(1);
    Clusters.One one = all.clusters().get(0);
    assertThat(one.members.keySet()).containsExactly(A, B, C);
    Clusters.Member killed = Objects.requireNonNull(one.members.get(C));
    assertThat(killed.unreachableFrom).containsExactly(A, B);
    assertThat(all.processAt(C)).isEqualTo("c");
    Clusters.Member leaving = Objects.requireNonNull(one.members.get(B));
    assertThat(leaving.status).as("what it says itself").isEqualTo("leaving");
    assertThat(leaving.seenAs).isEqualTo(Map.of(A, "up"));
    assertThat(Objects.requireNonNull(one.members.get(A)).isLeader).isTrue();
    assertThat(Objects.requireNonNull(one.singletons.get("stock"))).containsExactly(A);
    assertThat(Clusters.heaviest(one, "carts"))
        .extracting(heavy -> heavy.shard().shard())
        .containsExactly("9", "7");
    assertThat(all.links()).extracting(Clusters.Link::from).containsExactly(A, B);

    StringWriter written = new StringWriter();
    ClusterJson.writeTo(
        new Json(written), all, Transits.of(new TraceStore(StoreLimits.DEFAULT), "a", Map.of()), 1);
    Documented.check(ClusterHandler.ROUTE.path(), written.toString());
    assertThat(written.toString()).contains("\"linksLeftOut\":1");
  }

  @Test
  void clusters_withoutACommonMember_areTwo_untilSomebodySeesBoth() {
    Said first = new Node1("a", A).sees(A, "up").says();
    Said second = new Node1("b", B).sees(B, "up").says();
    assertThat(new Clusters(List.of(first, second)).clusters()).hasSize(2);
    Said both = new Node1("c", C).sees(A, "up").sees(B, "up").sees(C, "up").says();
    Clusters joined = new Clusters(List.of(first, second, both));
    assertThat(joined.clusters()).hasSize(1);
    assertThat(Objects.requireNonNull(joined.clusters().get(0).members.get(B)).seenAs)
        .isEqualTo(Map.of(A, Clusters.ABSENT));
  }

  /** As many as a page of its own is made for, each with a link to each other. */
  @Test
  void clusters_ofAHundredNodes_areOneAnswerOfABoundedSize() throws Exception {
    List<Said> said = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      Node1 one = new Node1("node" + i, address(i));
      for (int j = 0; j < 100; j++) {
        one.sees(address(j), "up");
        if (j != i) {
          one.lines.add(line(address(j), j));
        }
      }
      said.add(one.says());
    }
    Clusters all = new Clusters(said);
    assertThat(all.clusters()).hasSize(1);
    assertThat(all.clusters().get(0).members).hasSize(100);
    assertThat(all.links()).hasSize(9_900);
    StringWriter written = new StringWriter();
    ClusterJson.writeTo(
        new Json(written),
        all,
        Transits.of(new TraceStore(StoreLimits.DEFAULT), "", Map.of()),
        200);
    assertThat(written.getBuffer().length()).isLessThan(256 * 1024);
  }

  private static String address(int node) {
    return "pekko://shop@10.0.0." + node + ":17355";
  }

  @Test
  void differences_areOnlyWhatDiffers() {
    Node1 first = new Node1("a", A);
    first.settings.add(new ClusterCard.Setting("deimos.page.port", "1"));
    first.settings.add(new ClusterCard.Setting("deimos.stuck.threshold", "2 s"));
    Node1 second = new Node1("b", B);
    second.version = "2";
    second.settings.add(new ClusterCard.Setting("deimos.page.port", "1"));
    assertThat(new Clusters(List.of(first.says(), second.says())).differences())
        .containsExactly(
            new Clusters.Difference("Deimos", false, Map.of("1", List.of("a"), "2", List.of("b"))),
            new Clusters.Difference(
                "deimos.stuck.threshold", true, Map.of("2 s", List.of("a"), "", List.of("b"))));
  }
}
