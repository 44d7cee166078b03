// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.versions;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.PekkoVersion;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.it.harness.ScenarioRun;
import io.deimos.it.harness.SpanTree;
import io.deimos.pekko.feature.Feature;
import io.deimos.pekko.feature.Features;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import scenarios.ClassicSending;
import scenarios.Scenes;
import scenarios.Streaming;
import scenarios.TypedSending;

/** The output of the application with one {@link PekkoVersion}, as far as that has its parts. */
final class VersionRun {
  /** The class without which a part cannot be had, and the scenarios of the part. */
  private static final Map<String, List<String>> PARTS = new LinkedHashMap<>();

  /** The columns of the table, and the features that each stands for. */
  private static final Map<String, List<String>> COLUMNS = new LinkedHashMap<>();

  /** The traces that every version must give. */
  static final Map<String, String> EXPECTED =
      Scenes.of(ClassicSending::addTo, TypedSending::addTo, Streaming::addTo).traces();

  static {
    EXPECTED.keySet().retainAll(List.of("classic-tell", "typed-tell", "typed-ask", "stream-ask"));
  }

  private static final String TRANSPORT = "org.apache.pekko.remote.artery.tcp.ArteryTcpTransport";
  private static final String NO_TRANSPORT = "deimos.remote is for Pekko and this is Akka";
  private static final String ENGAGED = "deimos.remote moves the bytes of Artery tcp";

  static {
    PARTS.put(
        "org.apache.pekko.actor.ActorCell",
        List.of(
            "classic-tell",
            "classic-selection",
            "classic-event-stream",
            "classic-stash",
            "classic-ask",
            "classic-ask-timeout",
            "router-pool",
            "pipe-stage",
            "pipe-future",
            "future-callback",
            "schedule-once",
            "timer-single",
            "timer-periodic",
            "fail-restart",
            "fail-stop",
            "trouble-dead-letter",
            "user-log-classic"));
    PARTS.put(
        "org.apache.pekko.actor.typed.ActorSystem",
        List.of(
            "typed-tell",
            "typed-ask",
            "typed-ask-timeout",
            "typed-adapter",
            "typed-pipe",
            "typed-timer",
            "typed-stash",
            "typed-pool"));
    PARTS.put(
        "org.apache.pekko.stream.Materializer",
        List.of("stream-materialised", "stream-async", "stream-queue", "stream-ask"));
    PARTS.put(TRANSPORT, List.of("remote-both-ways"));
    PARTS.put(
        "org.apache.pekko.persistence.typed.javadsl.EventSourcedBehavior",
        List.of("persist-classic memory", "persist-typed memory"));
    PARTS.put(
        "org.apache.pekko.cluster.sharding.typed.javadsl.ClusterSharding",
        List.of("baggage-sharding", "baggage-sharding-ask-typed"));

    COLUMNS.put(
        "actors",
        List.of("ACTORS", "CREATION", "EVENTS", "DISPATCH", "STASH", "ROUTER", "MESSAGE_BUFFER"));
    COLUMNS.put("asks", List.of("ASK", "TYPED_ASK", "ENTITY_ASK"));
    COLUMNS.put("futures", List.of("FUTURES", "FUTURES_2_12"));
    COLUMNS.put("time", List.of("SCHEDULER", "TIMERS", "RECEIVE_TIMEOUT", "CIRCUIT_BREAKER"));
    COLUMNS.put("typed", List.of("TYPED", "TYPED_ROUTER", "TYPED_STASH", "TYPED_STASH_SIZE"));
    COLUMNS.put("streams", List.of("STREAMS", "STREAM_ACTORS", "STREAM_QUEUES", "STREAM_ELEMENTS"));
    COLUMNS.put("Artery", List.of("ARTERY", "CLASSIC_REMOTING", "SERIALIZER"));
    COLUMNS.put("cluster", List.of("DOWNING", "HEARTBEAT", "DISTRIBUTED_DATA"));
    COLUMNS.put(
        "sharding",
        List.of("ENTITY_START", "ENTITY_FOUND", "SHARDING", "SHARD_HOME", "SHARDED_DELIVERY"));
    COLUMNS.put("persistence", List.of("PERSISTENCE", "TYPED_PERSISTENCE", "DURABLE_STATE"));
    COLUMNS.put("delivery", List.of("DELIVERY"));
  }

  /**
   * Hooks that a version is known to have no place for. The compiler of that one has inlined the
   * method.
   */
  private static final Map<String, Set<String>> MISSING =
      Map.of("pekko-1.1.1_2.12", Set.of("MessageBuffer$Node.apply"));

  private final PekkoVersion version;
  private final Jdk jdk;
  private final List<String> scenarios;
  private final ScenarioRun run;
  private final Report report;

  private VersionRun(
      PekkoVersion version, Jdk jdk, List<String> scenarios, ScenarioRun run, Report report) {
    this.version = version;
    this.jdk = jdk;
    this.scenarios = scenarios;
    this.run = run;
    this.report = report;
  }

  /** All that the version has the parts for. */
  static VersionRun of(PekkoVersion version, Jdk jdk) {
    return of(version, jdk, scenario -> true);
  }

  /** Those of the scenarios that {@code wanted} is true of. */
  static VersionRun of(PekkoVersion version, Jdk jdk, Predicate<String> wanted) {
    List<String> scenarios =
        PARTS.entrySet().stream()
            .filter(part -> version.has(part.getKey()))
            .flatMap(part -> part.getValue().stream())
            .filter(wanted)
            .toList();
    String name = version + "-" + jdk;
    ScenarioRun run =
        ScenarioRun.run(
            jdk,
            name,
            scenarios,
            b ->
                b.deimos()
                    .classPath(Layout.scenarioClassPath(version))
                    .property("deimos.remote.enabled", "on")
                    .property("scenarios.artery", "INFO")
                    .property("otel.instrumentation.common.default-enabled", "false")
                    .page()
                    .property("deimos.report.file", Report.file(name).toString()),
            VersionRun::endTested);
    return new VersionRun(
        version,
        jdk,
        scenarios.stream().map(s -> s.replaceFirst(" .*", "")).toList(),
        run,
        Report.of(name));
  }

  /** The self-test needs an actor system that lasts. */
  private static void endTested(AgentJvm jvm) {
    jvm.tell("run steady");
    RunningPage.of(jvm)
        .awaitState("the end of the self-test", s -> !s.getString("hooks.state").equals("pending"));
    jvm.stop();
  }

  /** The traces of all scenarios, which take their names from their actor systems. */
  private Map<String, String> traces() {
    Map<String, String> traces = new LinkedHashMap<>();
    for (String scenario : scenarios) {
      assertThat(run.out()).as(run.transcript()).contains("@done " + scenario);
      traces.put(scenario, SpanTree.ofSystem(run.spans(), scenario));
    }
    return traces;
  }

  void check(VersionRun reference) {
    check(reference.traces());
  }

  /**
   * Checks the run.
   *
   * @param expected traces by scenario; others are compared with nothing
   */
  void check(Map<String, String> expected) {
    assertThat(traces().values()).allSatisfy(tree -> assertThat(tree).isNotEmpty());
    Set<String> missing = MISSING.getOrDefault(version.toString(), Set.of());
    if (version.isAkka()) {
      assertThat(run.err()).as(run.transcript()).anyMatch(line -> line.contains(NO_TRANSPORT));
    }
    assertThat(
            run.err().stream()
                .filter(line -> AgentJvm.isComplaint(line) && !line.contains(NO_TRANSPORT)))
        .as(run.transcript())
        .hasSize(missing.isEmpty() ? 0 : 1)
        .allSatisfy(line -> assertThat(line).contains(missing));
    assertThat(report.faults()).as(run.transcript()).isZero();
    assertThat(traces()).containsAllEntriesOf(own(expected));
    assertThat(report.hooksMissing()).containsExactlyInAnyOrderElementsOf(missing);
    assertThat(report.hooksUntested()).isEmpty();
    assertThat(report.hooksOk()).isEqualTo(expectedHooks() - missing.size());
    if (version.has(TRANSPORT)) {
      assertThat(isEngaged()).as(run.transcript()).isEqualTo(!version.isAkka());
    }
  }

  /** Every hook of what is on the class path, with those of the JDK and of Logback. */
  private int expectedHooks() {
    Stream<Feature> logback = Features.ALL.stream().filter(f -> f.name().equals("LOGBACK"));
    return Features.STAGES.size()
        + Stream.concat(version.features().stream(), logback)
            .mapToInt(feature -> PekkoVersion.hooksOf(feature).size())
            .sum();
  }

  /** The expectations of the scenarios that were run. */
  private Map<String, String> own(Map<String, String> expected) {
    Map<String, String> own = new LinkedHashMap<>(expected);
    own.keySet().retainAll(scenarios);
    return own;
  }

  private boolean isEngaged() {
    return run.out().stream().anyMatch(line -> line.contains(ENGAGED));
  }

  static String head() {
    return "| Pekko | Scala | JDK | traces | "
        + String.join(" | ", COLUMNS.keySet())
        + " | transport |\n"
        + "|---|---|---|---|"
        + "---|".repeat(COLUMNS.size())
        + "---|\n";
  }

  /** The lines of one version: those of all JDKs are one if they are equal. */
  static String lines(List<VersionRun> ofOneVersion, VersionRun reference) {
    Map<String, List<String>> jdks = new LinkedHashMap<>();
    for (VersionRun run : ofOneVersion) {
      jdks.computeIfAbsent(run.cells(reference), cells -> new ArrayList<>())
          .add(Integer.toString(run.jdk.feature()));
    }
    PekkoVersion version = ofOneVersion.get(0).version;
    StringBuilder lines = new StringBuilder();
    jdks.forEach(
        (cells, on) ->
            lines
                .append("| ")
                .append(version.pekko())
                .append(" | ")
                .append(version.scala())
                .append(" | ")
                .append(String.join(", ", on))
                .append(" | ")
                .append(cells)
                .append(" |\n"));
    return lines.toString();
  }

  private String cells(VersionRun reference) {
    List<String> cells = new ArrayList<>(List.of(equal(reference)));
    Set<String> features =
        version.features().stream().map(Feature::name).collect(Collectors.toSet());
    COLUMNS.values().forEach(column -> cells.add(cell(column, features)));
    cells.add(!version.has(TRANSPORT) ? "–" : isEngaged() ? "yes" : "falls back");
    return String.join(" | ", cells);
  }

  private String equal(VersionRun reference) {
    Map<String, String> expected = reference.traces();
    Map<String, String> found = traces();
    List<String> other =
        found.keySet().stream()
            .filter(s -> !Objects.equals(found.get(s), expected.get(s)))
            .toList();
    return other.isEmpty()
        ? found.size() + " of " + found.size()
        : found.size() - other.size() + " of " + found.size() + ", not " + String.join(", ", other);
  }

  /** The hooks that did not fire, if there are any. */
  private String cell(List<String> column, Set<String> features) {
    Set<String> hooks =
        Features.ALL.stream()
            .filter(f -> column.contains(f.name()) && features.contains(f.name()))
            .flatMap(f -> PekkoVersion.hooksOf(f).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    if (hooks.isEmpty()) {
      return "–";
    }
    hooks.removeIf(h -> !report.hooksMissing().contains(h) && !report.hooksUntested().contains(h));
    return hooks.isEmpty() ? "yes" : "without " + String.join(", ", hooks);
  }
}
