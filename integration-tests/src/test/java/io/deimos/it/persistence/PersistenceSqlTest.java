// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The statements of a persistent actor in a database, one by one, and where that is. */
class PersistenceSqlTest {
  private static final String URL = "jdbc:h2:mem:sql;DATABASE_TO_UPPER=false;DB_CLOSE_DELAY=-1";
  private static final Map<String, String> ROWS = new TreeMap<>();
  private static ScenarioRun run;

  static {
    ROWS.put(
        "persist-typed",
        """
        process Begin at /user/front
          process Add at /user/cart
            persist Cart at /user/cart
              INSERT sql.event_journal
              process Added at /user/cart
                process Done at /user/front
        """);
    ROWS.put(
        "persist-classic",
        """
        process Begin at /user/front
          process Work at /user/account from /user/front
            persist Account at /user/account
              INSERT sql.event_journal
              process Added at /user/account from /user/front
                process Done at /user/front from /user/account
        """);
  }

  @BeforeAll
  static void runAll() {
    run =
        ScenarioRun.run(
            Jdk.own(),
            "persistence-sql",
            ROWS.keySet().stream().map(scenario -> scenario + " " + URL).toList(),
            b -> b.deimos().classPath(Layout.wholeClassPath()));
  }

  @TestFactory
  Stream<DynamicTest> command_withItsStatements_isOneTrace() {
    return ROWS.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(),
                    () ->
                        assertThat(SpanTree.of(ofCommand(row.getKey())))
                            .isEqualTo(row.getValue())));
  }

  /** The trace that begins with the command, and not that of the recovery. */
  private static List<ReceivedSpan> ofCommand(String scenario) {
    String begun = run.only(scenario, "process Begin").traceId();
    return run.spansOf(scenario).stream().filter(s -> s.traceId().equals(begun)).toList();
  }

  /** The journal is asked for the recovery, once the snapshot is there. */
  @ParameterizedTest
  @CsvSource({"persist-typed, Cart, cart", "persist-classic, Account, account"})
  void recovery_withItsStatements_hasTheSnapshotsBelowTheSnapshotOnly(
      String scenario, String actor, String name) {
    String begun = run.only(scenario, "recover " + actor).traceId();
    assertThat(
            SpanTree.of(
                run.spansOf(scenario).stream().filter(s -> s.traceId().equals(begun)).toList()))
        .isEqualTo(
            """
            recover %1$s at /user/%2$s
              SELECT sql
              load-snapshot %1$s at /user/%2$s
                SELECT sql.snapshot
            """
                .formatted(actor, name));
  }

  @Test
  void inserts_areBelowWritesOnly() {
    Map<String, ReceivedSpan> byId = SpanTree.byId(run.spans());
    assertThat(run.spans())
        .filteredOn(s -> s.name().startsWith("INSERT "))
        .hasSize(2)
        .allSatisfy(
            s ->
                assertThat(byId.get(s.parentId()))
                    .extracting(ReceivedSpan::name)
                    .isIn("persist Cart", "persist Account"));
  }

  /** The tables are made outside of all actors. */
  @Test
  void statements_outsideOfOperations_makeTheTables() {
    assertThat(run.spans())
        .filteredOn(s -> s.isRoot() && !s.isOurs())
        .extracting(ReceivedSpan::name)
        .isNotEmpty()
        .allMatch(name -> name.matches("(CREATE|DROP|ALTER) .*"));
  }
}
