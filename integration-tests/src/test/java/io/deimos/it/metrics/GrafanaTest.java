// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Program;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.Scrape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Two nodes of the sample, read by a real Prometheus: every query of every panel has an answer, and
 * the table of metrics in the documentation is that of what they tell.
 */
class GrafanaTest {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final Path GRAFANA = Layout.root().resolve("grafana");
  private static final String ZERO = " or vector(0)";

  /** In the row of a metric that is told only once there is something to tell. */
  private static final String RARE = "†";

  @Test
  void everyQuery_twoNodesOfTheSample_hasAnAnswer() throws IOException {
    int port = Layout.freePort();
    try (AgentJvm first = shop(port, port);
        AgentJvm second = shop(Layout.freePort(), port)) {
      RunningPage one = RunningPage.of(first);
      RunningPage other = RunningPage.of(second);
      try (Prometheus prometheus = Prometheus.reading(List.of(one.url(), other.url()))) {
        Map<String, String> unanswered = new LinkedHashMap<>(queries());
        assertThat(unanswered).hasSizeGreaterThan(40);
        unanswered.putAll(withoutZero());
        unanswered.put("both nodes watch each other", "count(pekko_remote_heartbeat_phi) == 2");
        new Eventually()
            .await(
                () -> {
                  unanswered.values().removeIf(query -> prometheus.answers(query) > 0);
                  return unanswered.isEmpty();
                },
                PATIENCE,
                () -> "no data for " + unanswered + "\n" + Scrape.of(one).text());
        assertThat(prometheus.rules())
            .as("each rule has been evaluated")
            .hasSize(rules("expr").size())
            .containsOnly("ok");
        documented(Scrape.of(one), Scrape.of(other));
        exemplars(one);
        joins(prometheus, second);
      }
    }
  }

  /** Where nothing happens a query may say zero, and would say it of any name. */
  @Test
  void everyQuery_nameByName_isOfWhatIsDocumented() {
    Map<String, Boolean> documented = inPrometheus();
    Set<String> labels = labels();
    queries()
        .forEach(
            (panel, query) -> {
              assertThat(PromNames.metrics(query)).as(panel).isNotEmpty();
              assertThat(documented.keySet()).as(panel).containsAll(PromNames.metrics(query));
              assertThat(labels).as(panel).containsAll(PromNames.labels(query));
            });
  }

  /** Each alert fires on series as they are told here, and none on those of a healthy node. */
  @Test
  void rules_byTheirOwnTests_fireAndDoNot() throws Exception {
    Program.run(
            new ProcessBuilder("promtool", "test", "rules", "rules-test.yml")
                .directory(GRAFANA.toFile()))
        .succeeds();
    String tests = Files.readString(GRAFANA.resolve("rules-test.yml"));
    assertThat(rules("alert"))
        .hasSizeGreaterThan(20)
        .allSatisfy(alert -> assertThat(tests).contains("- name: " + alert + "\n"));
  }

  @Test
  void rules_nameByName_areOfWhatIsDocumented() throws IOException {
    Set<String> documented = inPrometheus().keySet();
    Set<String> labels = labels();
    List<String> recorded = rules("record");
    for (String expr : rules("expr")) {
      String query = expr;
      for (String name : recorded) {
        query = query.replace(name, "");
      }
      assertThat(documented).as(expr).containsAll(PromNames.metrics(query));
      assertThat(labels).as(expr).containsAll(PromNames.labels(query));
    }
  }

  /** The values of a key of all rules. */
  static List<String> rules(String key) throws IOException {
    return Files.readAllLines(GRAFANA.resolve("rules.yml")).stream()
        .map(line -> line.strip().replaceFirst("^- ", ""))
        .filter(line -> line.startsWith(key + ": "))
        .map(line -> line.substring(key.length() + 2))
        .toList();
  }

  /** Queries that may say zero, without that, if what they ask for is always told. */
  private static Map<String, String> withoutZero() {
    Map<String, Boolean> documented = inPrometheus();
    Map<String, String> queries = new LinkedHashMap<>();
    queries()
        .forEach(
            (panel, query) -> {
              if (query.contains(ZERO)
                  && PromNames.metrics(query).stream()
                      .noneMatch(metric -> documented.getOrDefault(metric, false))) {
                queries.put(panel + " / without zero", query.replace(ZERO, ""));
              }
            });
    assertThat(queries).hasSizeGreaterThan(4);
    return queries;
  }

  /**
   * The names of {@link #table()} as Prometheus has them, with those of the transport; and whether
   * they are not always told.
   */
  private static Map<String, Boolean> inPrometheus() {
    Map<String, Boolean> names = new TreeMap<>();
    Pattern row = Pattern.compile("\\| (`[^|]*`) \\| ([a-z -]+), ([^ |]+) \\|.*");
    String transport = transport();
    metrics()
        .lines()
        .map(row::matcher)
        .filter(Matcher::matches)
        .forEach(
            cells ->
                Stream.of(cells.group(1).replace("`", "").split(", "))
                    .flatMap(name -> PromNames.of(name, cells.group(2), cells.group(3)))
                    .forEach(
                        name ->
                            names.put(
                                name,
                                cells.group().contains(RARE)
                                    || transport.contains(cells.group()))));
    return names;
  }

  /** Metrics told only where the transport runs, which is not here. */
  private static String transport() {
    String metrics = metrics();
    int from = metrics.indexOf("### Of the transport");
    return metrics.substring(from, metrics.indexOf("\n### ", from));
  }

  /** All that is named between backquotes, attributes among it, and what Prometheus adds. */
  private static Set<String> labels() {
    return Stream.concat(
            Pattern.compile("`([a-z_.]+)`")
                .matcher(metrics())
                .results()
                .map(name -> name.group(1).replace('.', '_')),
            Stream.of("le", "instance"))
        .collect(Collectors.toSet());
  }

  private static String metrics() {
    try {
      String text = Files.readString(Layout.root().resolve("docs/telemetry.md"));
      return text.substring(text.indexOf("## Metrics"), text.indexOf("## Attributes"));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static AgentJvm shop(int port, int seed) {
    return AgentJvm.on(Jdk.own())
        .deimos()
        .page()
        .property("otel.instrumentation.common.default-enabled", "false")
        .property("shop.http.port", "0")
        .property("shop.load.stock-moves-per-second", "50")
        .property("shop.payment.late-share", "0.2")
        .property("shop.payment.failure-share", "0.1")
        .property("pekko.remote.artery.canonical.port", Integer.toString(port))
        .property("pekko.cluster.seed-nodes.0", "pekko://shop@127.0.0.1:" + seed)
        .property("pekko.cluster.roles.0", "frontend")
        .classPath(List.of())
        .runs("-jar", Layout.root().resolve("samples/shop/target/shop.jar").toString())
        .start("shop-node");
  }

  /** By panel, with what Grafana would put into them. */
  private static Map<String, String> queries() {
    Map<String, String> queries = new LinkedHashMap<>();
    try (Stream<Path> files = Files.list(GRAFANA)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".json")).sorted().toList()) {
        Config board = ConfigFactory.parseFile(file.toFile());
        for (Config panel : board.getConfigList("panels")) {
          for (Config target : panel.getConfigList("targets")) {
            queries.put(
                file.getFileName()
                    + " / "
                    + panel.getString("title")
                    + " / "
                    + target.getString("refId"),
                target
                    .getString("expr")
                    .replace("$__rate_interval", "30s")
                    .replace("$system", ".*"));
          }
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return queries;
  }

  /**
   * Both ways: what is told stands in the table, and what stands there is told or said to be rare.
   */
  private static void documented(Scrape... nodes) {
    TreeSet<String> told = new TreeSet<>();
    for (Scrape node : nodes) {
      List<String> ours =
          node.names().stream()
              .filter(name -> name.startsWith("pekko_") || name.startsWith("deimos_"))
              .toList();
      assertThat(inPrometheus().keySet()).as("with units and types").containsAll(ours);
      ours.stream()
          .map(name -> name.replaceAll("_(total|bucket|sum|count|seconds|bytes)\\b", ""))
          .map(name -> name.replaceAll("_(seconds|bytes)$", ""))
          .forEach(told::add);
    }
    TreeSet<String> table = new TreeSet<>();
    TreeSet<String> rare = new TreeSet<>();
    for (Map.Entry<String, Boolean> metric : table().entrySet()) {
      String name = metric.getKey().replace('.', '_').replaceAll("_(bytes|count)$", "");
      table.add(name);
      if (metric.getValue()) {
        rare.add(name);
      }
    }
    assertThat(table).as("docs/telemetry.md").containsAll(told);
    table.removeAll(rare);
    assertThat(told).as("told by the sample").containsAll(table);
  }

  /**
   * The metrics of docs/telemetry.md, and whether they are said to appear only when something
   * happens.
   */
  private static Map<String, Boolean> table() {
    Map<String, Boolean> names = new LinkedHashMap<>();
    String metrics = metrics();
    metrics = metrics.replace(transport(), "");
    Pattern name = Pattern.compile("`((pekko|deimos)\\.[a-z_.]+)`");
    for (String line : metrics.lines().filter(l -> l.startsWith("| `")).toList()) {
      Matcher matcher = name.matcher(line.substring(0, line.indexOf('|', 1)));
      while (matcher.find()) {
        names.put(matcher.group(1), line.contains(RARE));
      }
    }
    return names;
  }

  /** The documentation's joins with a node's identity; the last one needs a peer in trouble. */
  private static void joins(Prometheus prometheus, AgentJvm peer) throws IOException {
    List<String> unanswered = new ArrayList<>(joins());
    assertThat(unanswered).hasSize(3);
    String suspected = unanswered.remove(2);
    new Eventually()
        .await(
            () -> unanswered.removeIf(q -> prometheus.answers(q) > 0) && unanswered.isEmpty(),
            PATIENCE,
            () -> "no data for " + unanswered);
    peer.signal("STOP");
    new Eventually()
        .await(() -> prometheus.answers(suspected) > 0, PATIENCE, () -> "no data for " + suspected);
  }

  private static List<String> joins() throws IOException {
    String page = Files.readString(Layout.root().resolve("docs/how-to/prometheus.md"));
    String section = page.split("\n## Which node it is\n", 2)[1].split("\n## ", 2)[0];
    return Pattern.compile("(?m)(^    .+\n)+")
        .matcher(section)
        .results()
        .map(query -> query.group().replaceAll("\\s+", " ").strip())
        .toList();
  }

  /** A bucket leads to a trace, in the format that carries exemplars. */
  private static void exemplars(RunningPage page) {
    String text = page.get("/metrics", "application/openmetrics-text; version=1.0.0").body();
    List<String> leading =
        new ArrayList<>(
            text.lines()
                .filter(l -> l.startsWith("pekko_message_process_duration_seconds_bucket"))
                .filter(l -> l.matches(".* # \\{.*trace_id=\"[0-9a-f]{32}\".*"))
                .toList());
    assertThat(leading).isNotEmpty();
  }
}
