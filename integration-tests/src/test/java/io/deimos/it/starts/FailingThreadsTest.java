// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Eventually;
import io.deimos.it.harness.FailingAgent;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OtlpReceiver;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * All threads of the agent fail each time they do anything, or stop for ten seconds: the
 * application does what it does without the agent, and ends as it does then.
 */
class FailingThreadsTest {
  private static final List<String> PARTS = List.of("history", "history-asks", "history-timers");

  /** Each thread, and what it does first or again and again. A new thread needs a line here. */
  private static final Map<String, String> DOES =
      new TreeMap<>(
          Map.ofEntries(
              Map.entry("deimos-clock", "ProcessorClock.run"),
              Map.entry("deimos-control", "ControlFile.look"),
              Map.entry("deimos-drainer", "Drainer.drainOnce"),
              Map.entry("deimos-end", "Ending.await"),
              Map.entry("deimos-ending", "SpanPath.drainLast"),
              Map.entry("deimos-gauges", "GaugeReaders.readOnce"),
              Map.entry("deimos-housekeeping", "Housekeeping.round"),
              Map.entry("deimos-incidents", "IncidentLog.write"),
              Map.entry("deimos-link", "Link.read"),
              Map.entry("deimos-link-out", "Link.write"),
              Map.entry("deimos-log", "LineWriter.next"),
              Map.entry("deimos-otlp", "Delivery.answered"),
              Map.entry("deimos-page", "HttpLoop.turn"),
              Map.entry("deimos-page-answer", "PageHandler.handle"),
              Map.entry("deimos-page-history", "PageHistory.take"),
              Map.entry("deimos-page-start", "PageStart.bound"),
              Map.entry("deimos-patterns", "PatternWatch.report"),
              Map.entry("deimos-profile", "Profile.round"),
              Map.entry("deimos-report", "RunReport.live"),
              Map.entry("deimos-reverts", "LiveSettings.turn"),
              Map.entry("deimos-self-test", "SelfTestLauncher.run")));

  /** Begins in the midst of a self-test, and that fails as soon as it begins. */
  private static final String OF_THE_SELF_TEST = "deimos-self-test-plain";

  /**
   * The threads of the lean form alone; it ends before there are actors, and says what fails in it.
   */
  private static final String OF_THE_LEAN_FORM = "deimos-start";

  /** Those without which others get nothing to do; they fail once the others have. */
  private static final Set<String> BELOW =
      Set.of("Drainer.drainOnce", "Housekeeping.round", "HttpLoop.turn");

  /** The threads of a process that has joined another one's page. */
  private static final Set<String> LINKED = Set.of("Link.read", "Link.write");

  /** Where somebody has changed a setting for a time. */
  private static final Set<String> TIMED = Set.of("LiveSettings.turn");

  /** At the end of the JVM. */
  private static final Set<String> LAST = Set.of("Ending.await", "SpanPath.drainLast");

  /** The application's work without the agent. */
  private static final Map<String, List<String>> WITHOUT = new ConcurrentHashMap<>();

  /** Two seconds are promised; the rest is for a machine that does something else. */
  private static final Duration MOST = Duration.ofSeconds(6);

  @Test
  void threads_inTheSources_areAllMadeInOnePlaceAndFailBelow() throws IOException {
    Set<String> names = new TreeSet<>();
    List<String> elsewhere = new ArrayList<>();
    for (Path source : sources()) {
      String code = Files.readString(source);
      Pattern.compile("AgentThread\\s*\\.(?:start|make|factory)\\(\\s*([^,)]+)")
          .matcher(code)
          .results()
          .map(call -> call.group(1).strip())
          .forEach(names::add);
      if (!source.endsWith("AgentThread.java")) {
        Pattern.compile(
                "new Thread\\(|\\bThread\\.(?:of|start)|newThread\\(|Executors\\.new|new Timer\\(")
            .matcher(code)
            .results()
            .map(MatchResult::group)
            .forEach(found -> elsewhere.add(source.getFileName() + ": " + found));
      }
    }
    Set<String> expected = new TreeSet<>();
    DOES.keySet().forEach(name -> expected.add('"' + name + '"'));
    expected.add('"' + OF_THE_SELF_TEST + '"');
    expected.add('"' + OF_THE_LEAN_FORM + '"');
    assertThat(names).isEqualTo(expected);
    assertThat(elsewhere).isEmpty();
  }

  /** The threads of the modules that are in every process with the agent. */
  private static List<Path> sources() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (String module :
        List.of(
            "recorder",
            "pekko",
            "launcher",
            "settings",
            "telemetry",
            "inspect",
            "page",
            "agent",
            "remote",
            "api")) {
      try (Stream<Path> files = Files.walk(Layout.root().resolve(module + "/src/main/java"))) {
        files.filter(file -> file.toString().endsWith(".java")).forEach(sources::add);
      }
    }
    assertThat(sources).hasSizeGreaterThan(500);
    return sources;
  }

  @ParameterizedTest
  @ValueSource(strings = {"error", "memory", "sleep"})
  void threads_thatFail_changeNothing(String how) throws IOException {
    List<String> without =
        WITHOUT.computeIfAbsent("none", any -> histories(AgentJvm.on(Jdk.own())));
    Path control = Layout.target().resolve("failing-threads.conf");
    Files.writeString(control, "deimos.tracing.asks = true\n");
    Path report = Report.file("failing-threads-" + how);
    Set<String> first = new TreeSet<>(DOES.values());
    first.removeAll(LAST);
    first.removeAll(LINKED);
    first.removeAll(TIMED);
    Set<String> all = new TreeSet<>(first);
    first.removeAll(BELOW);
    int port = Layout.freePort();
    try (OtlpReceiver receiver = OtlpReceiver.start();
        AgentJvm jvm =
            AgentJvm.on(Jdk.own())
                .option(FailingAgent.option())
                .form(how.equals("error"))
                .exportTo(receiver)
                .property("deimos.page.enabled", "true")
                .property("deimos.page.port", Integer.toString(port))
                .property("deimos.control.file", control.toString())
                .property("deimos.report.file", report.toString())
                .property("deimos.messages.never", "no.such.Message")
                .property("deimos.profile.enabled", "true")
                .property("faults.inside", String.join(",", DOES.values()))
                .property("faults.places", String.join(",", first))
                .property("faults.how", how)
                .start("threads-" + how)) {
      assertThat(histories(jvm)).isEqualTo(without);
      awaitFailed(jvm, port, first);
      arm(jvm, String.join(",", all) + ":" + how);
      assertThat(histories(jvm)).isEqualTo(without);
      awaitFailed(jvm, port, all);
      // The thread that the JVM waits for must not be one that sleeps.
      arm(jvm, (how.equals("sleep") ? "" : "Ending.await,") + "SpanPath.drainLast:" + how);
      jvm.tell("end");
      jvm.awaitOut("that it ends", l -> l.equals("@ending"));
      long since = System.nanoTime();
      assertThat(jvm.awaitExit()).isZero();
      assertThat(Duration.ofNanos(System.nanoTime() - since)).isLessThan(MOST);
      List<String> told =
          jvm.err().stream().filter(l -> l.contains("a failure of Deimos itself")).toList();
      assertThat(told).doesNotHaveDuplicates();
      if (!how.equals("sleep")) {
        assertThat(told).as(jvm.transcript()).anyMatch(l -> l.contains("Drainer.drainOnce"));
        assertThat(told).anyMatch(l -> l.contains("SpanPath.drainLast"));
        assertThat(ConfigFactory.parseFile(report.toFile()).getLong("faults"))
            .isGreaterThan(told.size());
      }
    }
  }

  /** A process that joins the page of another one, again and again. */
  @ParameterizedTest
  @ValueSource(strings = {"Link.read", "Link.write"})
  void link_thatFails_changesNothing(String place) {
    List<String> without =
        WITHOUT.computeIfAbsent("none", any -> histories(AgentJvm.on(Jdk.own())));
    int port = Layout.freePort();
    try (AgentJvm serving = onThePage(AgentJvm.on(Jdk.own()), port).start("threads-serving")) {
      serving.awaitErr("its page", l -> l.startsWith("deimos: page at "));
      try (AgentJvm jvm =
          onThePage(AgentJvm.on(Jdk.own()).option(FailingAgent.option()), port)
              .property("faults.inside", place)
              .property("faults.places", place)
              .property("faults.how", "error")
              .start("threads-linked")) {
        assertThat(histories(jvm)).isEqualTo(without);
        awaitFailed(jvm, port, Set.of(place));
        assertThat(serving.isAlive()).isTrue();
        jvm.end();
      }
    }
  }

  /**
   * A setting that is changed for a time, and whoever should take it back fails again and again.
   */
  @Test
  void reverts_thatFail_changeNothing() throws Exception {
    List<String> without =
        WITHOUT.computeIfAbsent("none", any -> histories(AgentJvm.on(Jdk.own())));
    int port = Layout.freePort();
    try (AgentJvm jvm =
        onThePage(AgentJvm.on(Jdk.own()).option(FailingAgent.option()), port)
            .property("faults.inside", "LiveSettings.turn")
            .property("faults.places", "LiveSettings.turn")
            .property("faults.how", "error")
            .start("threads-reverts")) {
      RunningPage page = RunningPage.of(jvm);
      assertThat(page.change("preset=look-closely&for=1s")).isEqualTo(200);
      assertThat(histories(jvm)).isEqualTo(without);
      awaitFailed(jvm, port, TIMED);
      assertThat(histories(jvm)).isEqualTo(without);
      jvm.end();
    }
  }

  private static AgentJvm.Builder onThePage(AgentJvm.Builder builder, int port) {
    return builder
        .eitherForm()
        .property("deimos.page.enabled", "true")
        .property("deimos.page.port", Integer.toString(port));
  }

  private static void arm(AgentJvm jvm, String what) {
    long before = count(jvm, "@done faults-arm");
    jvm.tell("run faults-arm " + what);
    jvm.awaitOut("that it is armed", l -> count(jvm, "@done faults-arm") > before);
  }

  private static long count(AgentJvm jvm, String line) {
    return jvm.out().stream().filter(l -> l.equals(line)).count();
  }

  /** Waits until there was a failure in each place; somebody looks at the page meanwhile. */
  private static void awaitFailed(AgentJvm jvm, int port, Set<String> places) {
    Eventually.await(
        () -> {
          ask(port);
          return firedAt(jvm).containsAll(places);
        },
        () -> "failures in " + places + ", but only in " + firedAt(jvm));
  }

  private static Set<String> firedAt(AgentJvm jvm) {
    int before = firedLines(jvm).size();
    jvm.tell("run faults-fired");
    jvm.awaitOut("where it failed", any -> firedLines(jvm).size() > before);
    String line = firedLines(jvm).get(before);
    return Set.of(line.substring(line.indexOf('[') + 1, line.indexOf(']')).split(", "));
  }

  private static List<String> firedLines(AgentJvm jvm) {
    return jvm.out().stream().filter(l -> l.startsWith("@fired-at ")).toList();
  }

  /** Whether it gets an answer or not. */
  private static void ask(int port) {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(1_000);
      String request = "GET /api/state HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n\r\n";
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      int unused = socket.getInputStream().read();
    } catch (IOException e) {
      // The page is not there yet, or its thread has just failed.
    }
  }

  private static List<String> histories(AgentJvm.Builder builder) {
    try (AgentJvm jvm = builder.start("threads-well")) {
      List<String> histories = histories(jvm);
      jvm.end();
      return histories;
    }
  }

  /** The application's output as it does all parts once. */
  private static List<String> histories(AgentJvm jvm) {
    String last = "@done " + PARTS.get(PARTS.size() - 1);
    int from = jvm.out().size();
    long before = count(jvm, last);
    PARTS.forEach(part -> jvm.tell("run " + part));
    jvm.awaitOut("the end", l -> count(jvm, last) > before || l.startsWith("@failed "));
    List<String> lines = jvm.out();
    return lines.subList(from, lines.size()).stream()
        .filter(l -> l.startsWith("@history ") || l.startsWith("@failed "))
        .toList();
  }
}
