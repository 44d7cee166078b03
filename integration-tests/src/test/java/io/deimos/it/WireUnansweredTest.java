// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What the span of a question says if the node that was asked is not there to answer. */
class WireUnansweredTest {
  private static final List<String> ARTERY = List.of("tcp", "tls", "deimos", "aeron");
  private static final String CLUSTER = "cluster";

  /** What still waits for a connection as the node ends may become a dead letter before that. */
  private static final String LEFT_BEHIND = "    process DeadLetter at a/user/dead-letters\n";

  private static WireRun run = new WireRun(List.of(), List.of(), List.of());

  @BeforeAll
  static void runAll() {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = WireNode.start(Jdk.own(), "a", receiver, n -> n.deimos());
        WireNode b = WireNode.start(Jdk.own(), "b", receiver, n -> n.deimos())) {
      for (String transport : ARTERY) {
        a.open(transport);
        b.open(transport);
        a.run(transport, "ask-nobody", b.address(transport));
        a.run(transport, "select-nobody", b.address(transport));
        a.run(transport, "ask-quarantined", b.address(transport));
      }
      a.open("classic");
      b.open("classic");
      a.run("classic", "ask-nobody", b.address("classic"));
      a.run("classic", "select-nobody", b.address("classic"));
      a.open(CLUSTER);
      b.open(CLUSTER);
      WireNode.join(CLUSTER, List.of(a, b));
      String row = CLUSTER + " ask-unreachable";
      a.tell("run " + row + " " + b.address(CLUSTER)).await("that it found b", "@found", "run");
      b.close();
      a.await("that b is lost", "@done " + row, "run " + row);
      a.run(CLUSTER, "select-unreachable", b.address(CLUSTER));
      a.end();
      run = new WireRun(receiver.spans(), receiver.points(), List.of(a));
    }
  }

  @ParameterizedTest(name = "{0} {1}: {2}")
  @CsvSource({
    "tcp, ask-nobody, not_connected",
    "tls, ask-nobody, not_connected",
    "deimos, ask-nobody, not_connected",
    "aeron, ask-nobody, not_connected",
    "classic, ask-nobody, dead_letter",
    "tcp, select-nobody, not_connected",
    "tls, select-nobody, not_connected",
    "deimos, select-nobody, not_connected",
    "aeron, select-nobody, not_connected",
    "classic, select-nobody, dead_letter",
    "tcp, ask-quarantined, quarantined",
    "tls, ask-quarantined, quarantined",
    "deimos, ask-quarantined, quarantined",
    "aeron, ask-quarantined, quarantined",
    "cluster, ask-unreachable, unreachable",
    "cluster, select-unreachable, unreachable"
  })
  void askTimeout_ofANodeThatIsNotThere_saysWhatIsKnownHere(
      String system, String row, String state) {
    assertThat(run.nodes().get(0).hasDone(system, row)).as("%s on %s", row, system).isTrue();
    assertThat(WireRun.tree(run.spansOf(system, row)).replace(LEFT_BEHIND, ""))
        .isEqualTo(
            """
            process Begin at a/user/%s
              ask Done at a/user/echo ! timeout
            """
                .formatted(row));
    assertThat(run.spansOf(system, row))
        .filteredOn(s -> s.name().equals("ask Done"))
        .singleElement()
        .satisfies(s -> assertThat(s.text("pekko.ask.target.state")).isEqualTo(state));
  }
}
