// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.persistence;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.PromisedNames;
import io.deimos.it.harness.ReceivedPoint;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SideBySide;
import io.deimos.it.harness.SpanTree;
import io.opentelemetry.proto.trace.v1.Span.SpanKind;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import scenarios.Projecting;
import scenarios.Scenes;

/** Projections of events in a database, with nothing configured: their spans and their metrics. */
@SideBySide
@ParameterizedClass(name = "{0}")
@EnumSource(Database.class)
class ProjectionTest {
  private static final Map<Database, ScenarioRun> RUNS = new LinkedHashMap<>();

  private static final Map<String, String> ROWS = Scenes.of(Projecting::addTo).traces();

  private final ScenarioRun run;

  ProjectionTest(Database database) {
    run = RUNS.computeIfAbsent(database, on -> on.run("projection", ROWS.keySet()));
  }

  @AfterAll
  static void forget() {
    RUNS.clear();
  }

  @TestFactory
  Stream<DynamicTest> projection_ofOneCommand_comesAfterIt() {
    return ROWS.entrySet().stream()
        .map(
            row ->
                DynamicTest.dynamicTest(
                    row.getKey(),
                    () -> assertThat(SpanTree.of(ours(row.getKey()))).isEqualTo(row.getValue())));
  }

  private List<ReceivedSpan> ours(String scenario) {
    return run.spansOf(scenario).stream().filter(ReceivedSpan::isOurs).toList();
  }

  private ReceivedSpan only(String scenario) {
    return run.only(scenario, "project " + scenario);
  }

  @Test
  void span_ofAnEvent_saysWhichProjectionAndWhichEvent() {
    ReceivedSpan span = only("project-each");
    PromisedNames.check(span);
    assertThat(span.kind()).isEqualTo(SpanKind.SPAN_KIND_CONSUMER);
    assertThat(span.attributes())
        .containsEntry("messaging.system", "pekko")
        .containsEntry("messaging.operation.name", "project")
        .containsEntry("messaging.operation.type", "process")
        .containsEntry("pekko.system", "project-each")
        .containsEntry("pekko.projection.name", "project-each")
        .containsEntry("pekko.projection.key", "all")
        .containsEntry("pekko.message.class", "scenarios.Persisting$Added")
        .containsEntry("pekko.persistence.id", "project-each")
        .doesNotContainKeys("pekko.actor.path", "messaging.batch.message_count");
  }

  /** The link leads to the trace of the command, to the very span that wrote the event. */
  @Test
  void link_ofAnEvent_isToTheSpanThatWroteIt() {
    ReceivedSpan persist = run.only("project-each", "persist Cart");
    assertThat(only("project-each").links())
        .containsExactly(
            new ReceivedSpan.Link(
                persist.traceId(), persist.spanId(), Map.of("deimos.link.reason", "projection")));
    assertThat(only("project-each").traceId()).isNotEqualTo(persist.traceId());
  }

  @Test
  void span_ofAGroup_saysHowMany() {
    assertThat(only("project-group").attributes())
        .containsEntry("messaging.batch.message_count", 2L);
  }

  /** The handler's work in the database is below its span. */
  @Test
  void statements_ofTheHandler_areBelowItsSpan() {
    assertThat(run.spansOf("project-each"))
        .filteredOn(s -> s.parentId().equals(only("project-each").spanId()) && !s.isOurs())
        .extracting(ReceivedSpan::name)
        .isNotEmpty()
        .allMatch(name -> name.contains("pekko_projection_offset_store"));
  }

  @Test
  void metrics_ofEachProjection_areCounted() {
    assertThat(last("pekko.projection.envelope.processed", "project-each")).isEqualTo(1);
    assertThat(last("pekko.projection.offset.stored", "project-each")).isEqualTo(1);
    assertThat(last("pekko.projection.envelope.committed", "project-group")).isEqualTo(2);
    assertThat(last("pekko.projection.envelope.processed", "project-group")).isEqualTo(2);
    assertThat(last("pekko.projection.envelope.processed", "project-skipped")).isEqualTo(1);
    assertThat(last("pekko.projection.envelope.failed", "project-retried")).isEqualTo(1);
    assertThat(last("pekko.projection.envelope.failed", "project-skipped")).isEqualTo(2);
    assertThat(last("pekko.projection.started", "project-restarted")).isEqualTo(3);
    assertThat(last("pekko.projection.failed", "project-restarted")).isEqualTo(2);
    assertThat(histogram("pekko.projection.envelope.process.duration", "project-each").count())
        .isEqualTo(1);
    ReceivedPoint wait = histogram("pekko.projection.envelope.wait.duration", "project-each");
    assertThat(wait.count()).isEqualTo(1);
    assertThat(wait.value()).isBetween(0.0, 60.0);
  }

  @Test
  void count_afterItsEnd_isZero() {
    assertThat(last("pekko.projection.count", "project-each")).isZero();
    assertThat(of("pekko.projection.count", "project-each").get(0).attributes())
        .containsOnlyKeys("pekko.system", "pekko.projection.name", "pekko.projection.key");
  }

  /** The last value, over all kinds of errors. */
  private double last(String metric, String projection) {
    return of(metric, projection).stream()
        .max(Comparator.comparingLong(ReceivedPoint::timeNanos))
        .map(ReceivedPoint::value)
        .orElse(-1.0);
  }

  private ReceivedPoint histogram(String metric, String projection) {
    return of(metric, projection).stream()
        .max(Comparator.comparingLong(ReceivedPoint::timeNanos))
        .orElseThrow();
  }

  private List<ReceivedPoint> of(String metric, String projection) {
    return run.points().stream()
        .filter(p -> p.name().equals(metric))
        .filter(p -> projection.equals(p.attributes().get("pekko.projection.name")))
        .toList();
  }
}
