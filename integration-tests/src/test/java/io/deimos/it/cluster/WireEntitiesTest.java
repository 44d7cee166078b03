// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.Postgres;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.WireNode;
import io.deimos.it.harness.WireRun;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Entities on another node that outlast it: with their events in a database, or remembered. First
 * the node is there, with what its database does for them; then it has left.
 */
class WireEntitiesTest {
  private static final String SYSTEM = "entities";
  private static final List<String> THERE =
      List.of("persist-typed", "persist-classic", "remembered-there", "remembered-typed-there");
  private static final List<String> LEFT =
      List.of(
          "persist-typed-left", "persist-classic-left", "remembered-left", "remembered-typed-left");

  private static WireRun run;

  @BeforeAll
  static void runAll() {
    try (Postgres postgres = Postgres.start();
        OtlpReceiver receiver = OtlpReceiver.start();
        WireNode a = start("a", receiver, postgres);
        WireNode b = start("b", receiver, postgres)) {
      a.open(SYSTEM);
      b.open(SYSTEM);
      WireNode.join(SYSTEM, List.of(a, b));
      THERE.forEach(row -> a.run(SYSTEM, row, b.address(SYSTEM)));
      b.end();
      LEFT.forEach(row -> a.run(SYSTEM, row, b.address(SYSTEM)));
      a.end();
      run = new WireRun(receiver.spans(), receiver.points(), List.of(a, b));
    }
  }

  private static WireNode start(String name, OtlpReceiver receiver, Postgres postgres) {
    return WireNode.start(
        name,
        receiver,
        n ->
            n.deimos()
                .property("wire.database", postgres.url())
                .property("otel.instrumentation.jdbc.enabled", "true"));
  }

  /** In whose trace an entity recovers depends on whose message made it. */
  @ParameterizedTest
  @CsvSource({
    "persist-typed, Question, Ledger, ledger/7/entity",
    "persist-classic, Work, Account, account/6/6"
  })
  void command_forAPersistentEntityElsewhere_isOneTraceWithItsStatements(
      String row, String command, String actor, String path) {
    assertThat(treeOf(row))
        .isEqualTo(
            """
            process Begin at a/user/%1$s
              process %2$s at b/system/sharding/%4$s
                persist %3$s at b/system/sharding/%4$s
                  INSERT postgres.event_journal at b
                  process Added at b/system/sharding/%4$s
                    process Done at a/user/%1$s
            process Begin at a/user/%1$s
              process %2$s at b/system/sharding/%4$s
                process %2$s at b/system/sharding/%4$s
                  persist %3$s at b/system/sharding/%4$s
                    INSERT postgres.event_journal at b
                    process Added at b/system/sharding/%4$s
                      process Done at a/user/%1$s
              recover %3$s at b/system/sharding/%4$s
                SELECT postgres at b
                load-snapshot %3$s at b/system/sharding/%4$s
                  SELECT postgres.snapshot at b
            """
                .formatted(row, command, actor, path));
  }

  /** It recovers what it wrote where it was. */
  @ParameterizedTest
  @CsvSource({
    "persist-typed-left, Question, Ledger, ledger/7/entity",
    "persist-classic-left, Work, Account, account/6/6"
  })
  void persistentEntity_whoseNodeHasLeft_recoversInTheTraceOfTheNextCommand(
      String row, String command, String actor, String path) {
    assertThat(treeOf(row))
        .isEqualTo(
            """
            process Begin at a/user/%1$s
              process %2$s at a/system/sharding/%4$s
                process %2$s at a/system/sharding/%4$s
                  persist %3$s at a/system/sharding/%4$s
                    INSERT postgres.event_journal at a
                    process Added at a/system/sharding/%4$s
                      process Done at a/user/%1$s
              recover %3$s at a/system/sharding/%4$s
                SELECT postgres at a
                SELECT postgres.event_journal at a
                load-snapshot %3$s at a/system/sharding/%4$s
                  SELECT postgres.snapshot at a
            """
                .formatted(row, command, actor, path));
    assertThat(run.spansOf(SYSTEM, row))
        .filteredOn(s -> s.name().startsWith("recover "))
        .singleElement()
        .satisfies(
            s -> assertThat(s.attributes()).containsEntry("pekko.persistence.event.count", 2L));
  }

  /**
   * A message makes the entity where it is first, once that is written down; where it is then,
   * nobody's does.
   */
  @ParameterizedTest
  @CsvSource({
    "remembered-there, remembered-left, Work, starting-anew/5/5",
    "remembered-typed-there, remembered-typed-left, Question, typed-starting-anew/7/leaver"
  })
  void rememberedEntity_whoseNodeHasLeft_startsAnewInNoTrace(
      String there, String left, String message, String path) {
    Set<String> traces =
        run.spans().stream()
            .filter(s -> s.path() != null && s.path().endsWith("/" + path))
            .map(ReceivedSpan::traceId)
            .collect(Collectors.toSet());
    List<ReceivedSpan> spans =
        run.spans().stream().filter(s -> traces.contains(s.traceId())).toList();
    String begin = "process Begin at a/user/%s\n";
    String started = "process Started at %s/system/sharding/" + path + "\n";
    String asked = "  process %s at %s/system/sharding/%s\n    process Done at a/user/%s\n";
    String first =
        Stream.of(asked.formatted(message, "b", path, there), "  " + started.formatted("b"))
            .sorted()
            .collect(Collectors.joining());
    assertThat(WireRun.tree(spans))
        .isEqualTo(
            begin.formatted(left)
                + asked.formatted(message, "a", path, left)
                + begin.formatted(there)
                + first
                + started.formatted("a"));
    assertThat(spans).allMatch(s -> s.links().isEmpty());
  }

  @Test
  void everyRow_isDone() {
    assertThat(Stream.concat(THERE.stream(), LEFT.stream()))
        .as(() -> WireNode.transcripts(run.nodes()))
        .allMatch(row -> run.nodes().get(0).hasDone(SYSTEM, row));
  }

  @Test
  void noSpan_ofAnyNode_hasAParentThatIsMissing() {
    assertThat(WireRun.tree(run.spans())).doesNotContain("(parent missing)");
  }

  /** Without what a connection does for itself when it is new; it has no name of its own. */
  private static String treeOf(String row) {
    return WireRun.tree(
        run.spansOf(SYSTEM, row).stream().filter(s -> !s.name().equals("postgres")).toList());
  }
}
