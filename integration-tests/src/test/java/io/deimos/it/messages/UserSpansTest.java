// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import java.util.Comparator;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** {@code Span.current()} in an actor is the message's span, and what users do with it works. */
@Tag("quick")
@OnEachJdk
class UserSpansTest {
  private static final String NO_IDS = "trace= span=";

  private final Jdk jdk;
  private final ScenarioRun run;

  UserSpansTest(Jdk jdk) {
    this.jdk = jdk;
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void currentSpan_attributesEventsStatus_areKept() {
    ReceivedSpan begin = run.only("user-attributes", "process Begin");
    assertThat(begin.attributes())
        .containsEntry("order.id", "o-1")
        .containsEntry("order.total", 42L)
        .containsEntry("order.gift", true);
    assertThat(begin.event("checked").attributes()).containsEntry("by", "front");
    assertThat(begin.event("checked").atNanos())
        .isBetween(begin.event("message").atNanos(), begin.endNanos());
    assertThat(begin.status()).isEqualTo(StatusCode.STATUS_CODE_OK);
    assertThat(run.only("user-attributes", "process Pong").attributes())
        .doesNotContainKey("order.id");
  }

  @Test
  void whatADispatcherRuns_isInTheSpanAroundIt() {
    assertTasksAreInTheirSpan(run);
  }

  /** Then nothing of ours carries contexts, and the agent's own ways must be as without us. */
  @Test
  void whatADispatcherRuns_isInTheSpanAroundIt_withoutTracing() {
    assertTasksAreInTheirSpan(
        ScenarioRun.run(
            jdk,
            "tasks-" + jdk,
            List.of("user-tasks"),
            b -> b.deimos().property("deimos.tracing.enabled", "false")));
  }

  private static void assertTasksAreInTheirSpan(ScenarioRun run) {
    String around = named(run, "tasks").spanId();
    for (String task : List.of("in a task", "in a future", "in its callback")) {
      assertThat(named(run, task).parentId()).as("parent of '%s'", task).isEqualTo(around);
    }
  }

  private static ReceivedSpan named(ScenarioRun run, String name) {
    List<ReceivedSpan> found = run.spans().stream().filter(s -> s.name().equals(name)).toList();
    assertThat(found).as("spans '%s'\n%s", name, run.transcript()).hasSize(1);
    return found.get(0);
  }

  @Test
  void baggage_travelsWithMessages() {
    assertThat(run.only("user-baggage", "process Ping").attributes())
        .containsEntry("customer", "c-7");
  }

  @Test
  void log_inAnActor_carriesTraceAndSpan() {
    ReceivedSpan begin = run.only("user-log", "process Begin");
    assertThat(run.out())
        .anyMatch(
            l ->
                l.startsWith("@log INFO")
                    && l.contains("trace=" + begin.traceId() + " span=" + begin.spanId())
                    && l.contains("user-log begins"));
  }

  @Test
  void logOfATypedActor_carriesTraceAndSpan() {
    assertThat(idsLogged("user-log-typed begins"))
        .containsExactlyElementsOf(ids(spans("user-log-typed", "process Event")));
  }

  /** The lines are written by Pekko's logging actor, in messages of their own. */
  @Test
  void logByPekkosLogging_carriesTraceAndSpanOfTheMessage() {
    List<String> works = ids(spans("user-log-classic", "process Work"));
    assertThat(works).hasSize(3).doesNotHaveDuplicates();
    assertThat(idsLogged("user-log-classic plain")).containsExactlyElementsOf(works);
    assertThat(idsLogged("user-log-classic diagnostic")).containsExactlyElementsOf(works);
    assertThat(idsLogged("user-log-classic answered"))
        .containsExactlyElementsOf(ids(spans("user-log-classic", "process Pong")));
    assertThat(idsLogged("user-log-classic outside")).containsExactly(NO_IDS);
  }

  /** The lines are written by the thread of logback's asynchronous appender. */
  @Test
  void logByAnAsynchronousAppender_carriesTraceAndSpanOfTheMessage() {
    assertThat(idsLogged("user-log-appender begins"))
        .hasSize(3)
        .doesNotHaveDuplicates()
        .containsExactlyElementsOf(ids(spans("user-log-appender", "process Begin")));
    assertThat(idsLogged("user-log-appender outside")).containsExactly(NO_IDS);
  }

  @Test
  void annotatedMethod_isASpanWithWhatIsSentInIt() {
    assertThat(run.only("user-with-span", "price").attributes()).containsEntry("price", 7L);
  }

  private List<ReceivedSpan> spans(String scenario, String name) {
    return run.spansOf(scenario).stream()
        .filter(s -> s.name().equals(name))
        .sorted(Comparator.comparing(ReceivedSpan::endNanos))
        .toList();
  }

  private static List<String> ids(List<ReceivedSpan> spans) {
    return spans.stream().map(s -> "trace=" + s.traceId() + " span=" + s.spanId()).toList();
  }

  /** The trace in the lines with a text, in their order. */
  private List<String> idsLogged(String text) {
    return run.out().stream()
        .filter(l -> l.startsWith("@log ") && l.contains(text))
        .map(l -> l.replaceFirst(".* (trace=[0-9a-f]* span=[0-9a-f]*) .*", "$1"))
        .toList();
  }

  @Test
  void unsampledParent_recordsNothing() {
    assertThat(run.spansOf("user-unsampled")).isEmpty();
    assertThat(run.spans()).noneMatch(s -> s.traceId().equals("0af7651916cd43dd8448eb211c80319c"));
  }

  @Test
  void typedActor_attributesAndChild_work() {
    assertThat(run.only("user-typed", "process Event").attributes())
        .containsEntry("event.text", "news");
  }
}
