// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.control;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.ReceivedLog;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.Scrape;
import io.deimos.it.harness.SpanTree;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * One application, once configured by the file of the documentation and once by properties that say
 * the same: it tells the same, over OTLP and on the page.
 */
class ConfigurationFileTest {
  /** With trouble, so that tail sampling keeps their traces. */
  private static final List<String> KEPT =
      List.of("http-failing", "fail-restart", "classic-ask-timeout");

  /** Without, so that it drops them. */
  private static final List<String> DROPPED = List.of("http-classic", "user-log");

  private static Told byFile;
  private static Told byProperties;

  /** The words of one run. */
  private record Told(
      ScenarioRun run,
      List<String> page,
      boolean hasLogEvent,
      Set<String> families,
      Map<String, String> sources) {}

  @BeforeAll
  static void runBoth() throws IOException {
    Path file = Layout.target().resolve("otel.yaml");
    Files.writeString(
        file,
        ofTheDocumentation()
            .replace("interval: 10000", "interval: 200")
            .replace("keep: 0.05", "keep: 0"));
    byFile =
        run(
            "by-file",
            b ->
                b.agent(Layout.deimos())
                    .property("otel.config.file", file.toString())
                    .environment("PAGE_PORT", "0")
                    .environmentFrom("COLLECTOR", "otel.exporter.otlp.endpoint"));
    byProperties =
        run(
            "by-properties",
            b ->
                b.agent(Layout.deimos())
                    .property("otel.service.name", "shop")
                    .property("otel.traces.sampler", "parentbased_traceidratio")
                    .property("otel.traces.sampler.arg", "1.0")
                    .property("otel.metrics.exporter", "otlp")
                    .property("otel.metric.export.interval", "200")
                    .property("otel.logs.exporter", "otlp")
                    .property("deimos.page.port", "0")
                    .property("deimos.page.traces-per-second", "100")
                    .property("deimos.tracing.logs.enabled", "true")
                    .property("deimos.tracing.tail.enabled", "true")
                    .property("deimos.tracing.tail.keep", "0")
                    .property("deimos.stuck.threshold", "5s")
                    .property("deimos.messages.never", "com.acme.Heartbeat,com.acme.Tick*")
                    .property("deimos.actors", "\"/user/noisy/*\" { metrics = off }")
                    .property("otel.instrumentation.jdbc-datasource.enabled", "false"));
  }

  private static String ofTheDocumentation() throws IOException {
    Path page = Layout.root().resolve("docs/how-to/configuration-file.md");
    Matcher block = Pattern.compile("(?ms)^```yaml\n(.*?)^```").matcher(Files.readString(page));
    assertThat(block.find()).as("a whole file in " + page).isTrue();
    return block.group(1);
  }

  private static Told run(String name, UnaryOperator<AgentJvm.Builder> how) {
    List<String> scenarios = new ArrayList<>(DROPPED);
    scenarios.addAll(KEPT);
    List<String> traces = new ArrayList<>();
    boolean[] hasLogEvent = new boolean[1];
    Set<String> families = new TreeSet<>();
    Map<String, String> sources = new TreeMap<>();
    ScenarioRun run =
        ScenarioRun.run(
            Jdk.own(),
            name,
            scenarios,
            b ->
                how.apply(
                    b.classPath(Layout.wholeClassPath())
                        // A slow message on a busy machine is no trouble here.
                        .property("deimos.tracing.tail.wait", "0s")
                        .property("deimos.tracing.tail.processing", "0s")
                        .without("otel.metrics.exporter")),
            jvm -> {
              RunningPage page = RunningPage.of(jvm);
              traces.addAll(spansOnPage(page));
              hasLogEvent[0] = hasLogEvent(page);
              Scrape.of(page)
                  .text()
                  .lines()
                  .filter(line -> line.startsWith("# TYPE pekko_message"))
                  .forEach(families::add);
              for (Config setting : page.json("/api/settings").getConfigList("settings")) {
                sources.put(setting.getString("key"), setting.getString("source"));
              }
              jvm.end();
            });
    return new Told(run, traces, hasLogEvent[0], families, sources);
  }

  /** The names of all spans of both traces with HTTP in them, once they are whole. */
  private static List<String> spansOnPage(RunningPage page) {
    List<String> names = new ArrayList<>();
    Eventually.await(
        () -> {
          names.clear();
          page.traces("?limit=1000").stream()
              .filter(trace -> trace.getString("name").equals("GET"))
              .map(trace -> page.trace(trace.getString("traceId")))
              .flatMap(trace -> trace.getConfigList("spans").stream())
              .map(span -> span.getString("name"))
              .sorted()
              .forEach(names::add);
          return count(names, "GET") == 3 // both roots, and one for the price
              && count(names, "GET /order") == 2
              && count(names, "GET /price") == 1
              && count(names, "ask Work") == 2
              && count(names, "process Work") == 2;
        },
        () -> "both traces with HTTP, whole: " + names);
    return List.copyOf(names);
  }

  private static long count(List<String> names, String name) {
    return names.stream().filter(name::equals).count();
  }

  /** A log line of an actor is an event of its span. */
  private static boolean hasLogEvent(RunningPage page) {
    return page.traces("?limit=1000").stream()
        .map(trace -> page.get("/api/traces/" + trace.getString("traceId")).body())
        .anyMatch(trace -> trace.contains("pekko.log"));
  }

  @Test
  void traces_overOtlp_areTheSame() {
    for (String scenario : KEPT) {
      byFile.run().assertTraces(scenario, SpanTree.of(byProperties.run().spansOf(scenario)));
    }
    assertThat(byFile.run().spans())
        .isNotEmpty()
        .allSatisfy(span -> assertThat(span.resource()).containsEntry("service.name", "shop"));
  }

  /** Those of HTTP and of the database too: all of a dropped trace is held back. */
  @Test
  void traces_withoutTrouble_areDroppedWhole() {
    for (Told told : List.of(byFile, byProperties)) {
      for (String scenario : DROPPED) {
        assertThat(SpanTree.tracesOf(told.run().spans(), scenario)).as(scenario).isEmpty();
      }
      assertThat(told.run().spans().stream().filter(s -> s.name().startsWith("INSERT"))).hasSize(1);
    }
  }

  @Test
  void spans_byWay_areTheSame() {
    String direct = "deimos: spans of actors are exported directly, as OTLP over HTTP";
    assertThat(byFile.run().err()).contains(direct);
    assertThat(byProperties.run().err()).contains(direct);
  }

  @Test
  void metrics_overOtlp_areTheSame() {
    assertThat(metrics(byFile.run()))
        .isEqualTo(metrics(byProperties.run()))
        .contains("pekko.message.process.duration s histogram cumulative");
  }

  /** Gauges come when they are read; what a run has done does not depend on its time. */
  private static Set<String> metrics(ScenarioRun run) {
    return run.points().stream()
        .filter(p -> p.name().startsWith("pekko.message.") || p.name().startsWith("pekko.ask."))
        .filter(p -> !p.type().equals("gauge"))
        .map(p -> p.name() + " " + p.unit() + " " + p.type() + " " + p.temporality())
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void records_overOtlp_areTheSame() {
    assertThat(records(byFile.run())).isEqualTo(records(byProperties.run())).isNotEmpty();
  }

  private static Set<String> records(ScenarioRun run) {
    return run.logs().stream()
        .filter(log -> log.event() != null && log.event().startsWith("pekko."))
        .map(ReceivedLog::event)
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void page_hasTheSameTracesWithHttpAndDatabaseInThem() {
    assertThat(byFile.page())
        .isEqualTo(byProperties.page())
        .contains("GET /order", "INSERT http-classic.orders", "process Work");
    assertThat(byFile.hasLogEvent()).isTrue();
    assertThat(byProperties.hasLogEvent()).isTrue();
    assertThat(byFile.families()).isEqualTo(byProperties.families()).isNotEmpty();
  }

  @Test
  void page_saysWhichLineASettingComesFrom() {
    assertThat(byFile.sources())
        .containsEntry("deimos.page.port", "otel.yaml: " + line("port:"))
        .containsEntry("deimos.tracing.tail.enabled", "otel.yaml: " + line("enabled: true", 2))
        .containsEntry("deimos.tracing.tail.wait", "system property")
        .containsEntry("deimos.page.enabled", "default");
  }

  private static int line(String text) {
    return line(text, 1);
  }

  private static int line(String text, int which) {
    try {
      List<String> lines = ofTheDocumentation().lines().toList();
      int left = which;
      for (int i = 0; i < lines.size(); i++) {
        if (lines.get(i).contains(text) && --left == 0) {
          return i + 1;
        }
      }
      throw new AssertionError("no " + text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void log_hasNoComplaint() {
    for (Told told : List.of(byFile, byProperties)) {
      // On a slow machine it is said that the documentation's classes have sent no message yet.
      assertThat(told.run().err())
          .noneMatch(l -> AgentJvm.isComplaint(l) && !l.contains("has matched no class"))
          .noneMatch(l -> l.startsWith("\tat "));
    }
  }
}
