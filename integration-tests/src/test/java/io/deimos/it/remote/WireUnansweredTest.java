// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.remote;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The span of a question if the node that was asked is not there to answer. */
class WireUnansweredTest {
  private static final List<String> ARTERY = List.of("tcp", "tls", "deimos", "aeron");
  private static final String CLUSTER = "cluster";

  /**
   * A message that still waits for a connection as the node ends may become a dead letter before
   * that.
   */
  private static final String LEFT_BEHIND = "    process DeadLetter at a/user/dead-letters\n";

  private static final List<String> ENTITIES =
      List.of(
          "entity-slow",
          "entity-busy",
          "entity-stops",
          "entity-silent",
          "entity-silent-pattern",
          "entity-silent-envelope",
          "entity-silent-context",
          "entity-silent-classic",
          "entity-rests",
          "entity-homeless",
          "entity-dropped",
          "entity-elsewhere");

  private static WireRun run = new WireRun(List.of(), List.of(), List.of());
  private static String peer = "";

  @BeforeAll
  static void runAll() {
    try (OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a =
            WireNode.start("a", receiver, n -> n.eitherForm().metricsEvery(Duration.ofSeconds(5)));
        WireNode b = WireNode.start("b", receiver, n -> n.eitherForm())) {
      for (String transport : ARTERY) {
        a.open(transport);
        b.open(transport);
        a.run(transport, "ask-nobody", b.address(transport));
        a.run(transport, "select-nobody", b.address(transport));
        a.run(transport, "ask-quarantined", b.address(transport));
        WireNode.close(transport, List.of(a, b));
      }
      a.open("classic");
      b.open("classic");
      a.run("classic", "ask-nobody", b.address("classic"));
      a.run("classic", "select-nobody", b.address("classic"));
      WireNode.close("classic", List.of(a, b));
      a.open(CLUSTER);
      b.open(CLUSTER);
      WireNode.join(CLUSTER, List.of(a, b));
      ENTITIES.forEach(entity -> a.run(CLUSTER, entity, b.address(CLUSTER)));
      peer = b.address(CLUSTER);
      String row = CLUSTER + " ask-unreachable";
      a.tell("run " + row + " " + b.address(CLUSTER)).await("that it found b", "@found", "run");
      b.close();
      a.await("that b is lost", "@done " + row, "run " + row);
      a.run(CLUSTER, "select-unreachable", b.address(CLUSTER));
      a.run(CLUSTER, "entity-lost", b.address(CLUSTER));
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

  /** The entity is on this node, and has got the question or will. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource({
    "entity-slow, processing",
    "entity-busy, in_mailbox",
    "entity-stops, stopped",
    "entity-silent, processed",
    "entity-silent-pattern, processed",
    "entity-silent-envelope, processed"
  })
  void askTimeout_ofAnEntityHere_saysWhatTheEntityDoes(String row, String state) {
    assertTimeout(row, "/7/entity", state, "    process Question at a%s/7/entity\n");
  }

  @Test
  void askTimeout_ofAnEntityByATypedActor_saysWhatTheEntityDoes() {
    ReceivedSpan asked =
        assertTimeout(
            "entity-silent-context",
            "/7/entity",
            "processed",
            "    process Question at a%s/7/entity\n",
            "  process Done at a/user/entity-silent-context\n");
    assertThat(asked.text("pekko.actor.class")).startsWith("wire.EntityAskRows");
  }

  /** The classic way is to ask the region. */
  @Test
  void askTimeout_ofARegion_saysWhatTheEntityDoes() {
    assertThat(WireRun.tree(run.spansOf(CLUSTER, "entity-silent-classic")))
        .isEqualTo(
            """
            process Begin at a/user/entity-silent-classic
              ask Work at a/system/sharding/entity-silent-classic/7/entity ! timeout
                process Work at a/system/sharding/entity-silent-classic/7/entity
            """);
    assertThat(asked("entity-silent-classic").text("pekko.ask.target.state"))
        .isEqualTo("processed");
  }

  /** The region keeps the question, or the shard; then the entity gets it, too late. */
  @ParameterizedTest
  @ValueSource(strings = {"entity-homeless", "entity-rests"})
  void askTimeout_ofAnEntityThatDidNotGetIt_saysThatItIsKept(String row) {
    assertTimeout(row, "", "in_buffer", "    process Question at a%s/7/entity\n");
  }

  @Test
  void askTimeout_ofAnEntityForWhichTooMuchIsKept_saysThatItWasDropped() {
    assertTimeout("entity-dropped", "", "dropped", LEFT_BEHIND);
  }

  @ParameterizedTest
  @CsvSource({"entity-elsewhere, remote", "entity-lost, unreachable"})
  void askTimeout_ofAnEntityOnAnotherNode_saysWhichAndWhatIsKnownOfIt(String row, String state) {
    assertThat(WireRun.tree(run.spansOf(CLUSTER, row)).replace(LEFT_BEHIND, ""))
        .isEqualTo(
            "process Begin at a/user/%s\n".formatted(row)
                + "  ask Question at a/system/sharding/typed-entity ! timeout\n"
                + (state.equals("remote")
                    ? "    process Question at b/system/sharding/typed-entity/7/entity\n"
                    : ""));
    ReceivedSpan asked = asked(row);
    assertThat(asked.text("pekko.ask.target.state")).isEqualTo(state);
    assertThat(asked.path()).isEqualTo(peer + "/system/sharding/typed-entity");
  }

  /** Whatever is known of single questions, all to entities are those to the region. */
  @Test
  void askTimeouts_ofEntities_areCountedByTheRegion() {
    assertThat(run.points())
        .filteredOn(p -> p.name().equals("pekko.ask.timed_out"))
        .filteredOn(
            p -> String.valueOf(p.attributes().get("pekko.message.class")).endsWith("Question"))
        .isNotEmpty()
        .allSatisfy(
            p ->
                assertThat(p.attributes())
                    .containsEntry(
                        "pekko.ask.actor.class", "org.apache.pekko.cluster.sharding.ShardRegion"));
  }

  private static ReceivedSpan assertTimeout(String row, String whom, String state, String... more) {
    String region = "/system/sharding/" + row;
    assertThat(WireRun.tree(run.spansOf(CLUSTER, row)))
        .isEqualTo(
            "process Begin at a/user/%s\n".formatted(row)
                + "  ask Question at a%s%s ! timeout\n".formatted(region, whom)
                + String.join("", more).formatted(region));
    ReceivedSpan asked = asked(row);
    assertThat(asked.text("pekko.ask.target.state")).isEqualTo(state);
    return asked;
  }

  private static ReceivedSpan asked(String row) {
    return run.spansOf(CLUSTER, row).stream()
        .filter(s -> s.name().startsWith("ask "))
        .findFirst()
        .orElseThrow();
  }
}
