// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static java.util.stream.Collectors.counting;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.Report;
import io.deimos.it.harness.RunningPage;
import io.deimos.pekko.HookNames;
import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The self-test finds every hook that is there, and each one that is not. */
class HookSelfTest {
  /** Hooks that one JVM is without. */
  private static final int AT_A_TIME = 15;

  /** JVMs at once, beside those without a root: most of the time each waits for hooks in vain. */
  private static final int AT_ONCE = 4;

  /** Without one of these nothing is recorded at all, so most other hooks have nothing to show. */
  private static final List<String> ROOTS = List.of("ActorCell.<init>", "ActorCell.invoke");

  /** The run: */
  private static final Map<String, CompletableFuture<Report>> RUNS = new HashMap<>();

  /** The hooks taken out together, by each of them. */
  private static final Map<String, String> TOGETHER = new HashMap<>();

  static {
    for (String taken : takenOut()) {
      for (String hook : taken.split(",", -1)) {
        TOGETHER.put(hook, taken);
      }
    }
  }

  static List<String> hooks() {
    return HookNames.all();
  }

  /**
   * Those that the self-test calls each by itself together, the others many at a time, no two of
   * one class: none of them needs another. Last those without which nothing is recorded, one by
   * one.
   */
  private static List<String> takenOut() {
    List<List<String>> groups = new ArrayList<>();
    groups.add(hooks().stream().filter(HookSelfTest::isTried).toList());
    // Those of classes with many hooks first, or they would need JVMs of their own at the end.
    Map<String, Long> ofClass =
        hooks().stream().collect(Collectors.groupingBy(HookSelfTest::classOf, counting()));
    List<String> others =
        hooks().stream()
            .filter(hook -> !ROOTS.contains(hook) && !isTried(hook))
            .sorted(Comparator.comparing(hook -> -ofClass.getOrDefault(classOf(hook), 0L)))
            .toList();
    for (String hook : others) {
      groups.stream()
          .skip(1)
          .filter(group -> group.size() < AT_A_TIME)
          .filter(group -> group.stream().noneMatch(other -> isOfSameClass(hook, other)))
          .findFirst()
          .orElseGet(
              () -> {
                groups.add(new ArrayList<>());
                return groups.get(groups.size() - 1);
              })
          .add(hook);
    }
    ROOTS.forEach(hook -> groups.add(List.of(hook)));
    return groups.stream().map(group -> String.join(",", group)).toList();
  }

  private static boolean isOfSameClass(String hook, String other) {
    return classOf(hook).equals(classOf(other));
  }

  private static String classOf(String hook) {
    return hook.replaceFirst("[.$(].*", "");
  }

  private static boolean isTried(String hook) {
    return hook.matches(
        "(CompletableFuture|ContextPropagationImpl|GraphStageLogic|ConcurrentAsyncCallbackState"
            + "|GraphInterpreter|ActorGraphInterpreter"
            + "|FixedSizeBuffer|ActorRefBackpressure|AbstractBoundedNodeQueue"
            + "|SnapshotProtocol|Snapshotter|SaveSnapshot|SnapshotInteractions.internalSave"
            + "|DurableState|Recovering|Running.PersistingState).*");
  }

  @Test
  @Tag("quick")
  void allHooks_onThisPekko_areFound() {
    Report report = reportWithout("none");
    assertThat(report.hooksMissing()).isEmpty();
    assertThat(report.hooksOk()).isEqualTo(hooks().size());
  }

  /** In the order in which JVMs without them start, but for the roots. */
  static Stream<String> hooksByJvm() {
    return takenOut().stream().flatMap(taken -> Arrays.stream(taken.split(",", -1)));
  }

  @ParameterizedTest
  @MethodSource("hooksByJvm")
  void hook_takenOut_isNamed(String hook) {
    String taken = Objects.requireNonNull(TOGETHER.get(hook));
    List<String> missing = reportWithoutAndNext(taken).hooksMissing();
    assertThat(missing).contains(hook);
    if (!ROOTS.contains(hook)) {
      assertThat(missing).containsExactlyInAnyOrder(taken.split(",", -1));
    }
  }

  /**
   * JVMs for the next tests start meanwhile. Without a root the self-test waits in vain the longest
   * by far, so those two begin with the first and are looked at last.
   */
  private static Report reportWithoutAndNext(String taken) {
    List<String> all = takenOut();
    int first = all.indexOf(taken);
    if (first == 0) {
      for (String root : ROOTS) {
        CompletableFuture<Report> unused = begun(root);
      }
    }
    for (String next : all.subList(first, Math.min(first + AT_ONCE, all.size()))) {
      CompletableFuture<Report> unused = begun(next);
    }
    return begun(taken).join();
  }

  private static CompletableFuture<Report> begun(String taken) {
    return RUNS.computeIfAbsent(
        taken,
        t ->
            CompletableFuture.supplyAsync(
                () -> reportWithout(t), run -> new Thread(run, "without " + t).start()));
  }

  @AfterAll
  static void forget() {
    RUNS.values().forEach(run -> run.handle((report, failure) -> report).join());
    RUNS.clear();
  }

  private static Report reportWithout(String taken) {
    Path file = Report.file("hooks-" + taken.split(",", -1)[0].replaceAll("[^A-Za-z0-9.]", "_"));
    try (AgentJvm jvm =
        AgentJvm.on(Jdk.own())
            .form(taken.equals("none"))
            .pekkoAndOnly()
            .property("otel.traces.exporter", "none")
            .property("otel.metrics.exporter", "none")
            .property("deimos.internal.hooks.skip", taken)
            .page()
            .property("deimos.report.file", file.toString())
            .classPath(everythingOfPekko())
            .start("hooks")) {
      jvm.tell("run steady");
      jvm.awaitOut("that it runs", l -> l.equals("@steady"));
      RunningPage.of(jvm)
          .awaitState(
              "the end of the self-test", s -> !s.getString("hooks.state").equals("pending"));
      if (!taken.equals("none")) {
        jvm.awaitErr("the warning, which follows the result", AgentJvm::isComplaint);
      }
      jvm.stop();
      List<String> warnings = jvm.complaints();
      if (taken.equals("none")) {
        assertThat(warnings).isEmpty();
      } else {
        assertThat(warnings).as(jvm.transcript()).hasSize(1);
        assertThat(warnings.get(0)).contains(taken.split(",", -1));
      }
    }
    return Report.of(file);
  }

  /** All jars the tests have, so that every feature's classes are there, but nothing of ours. */
  private static List<Path> everythingOfPekko() {
    List<Path> jars =
        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator, -1))
            .map(Path::of)
            .filter(p -> p.toString().endsWith(".jar") && !p.startsWith(Layout.root()))
            .toList();
    return Stream.concat(Layout.scenarioClassPath().stream().limit(1), jars.stream()).toList();
  }
}
