// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.starts;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.FailingAgent;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every call that is woven into Pekko fails: the application's messages, their order and how its
 * failures end stay as they are without the agent. All at once, in what is quick; and, if there is
 * half an hour, one after another in everything.
 */
class FailingHooksTest {
  /** Between them they reach most of what is woven. The quick ones first: a hook fails in one. */
  private static final List<String> QUICK =
      List.of("history-typed-asks", "history-asks", "history-supervision", "history-timers");

  private static final List<String> PARTS =
      Stream.concat(
              QUICK.stream(),
              Stream.of("history-routes", "history", "history-persistence", "history-cluster"))
          .toList();

  private static final Map<String, List<String>> WITHOUT = new HashMap<>();

  private static void runWithoutTheAgent(List<String> parts) {
    if (WITHOUT.keySet().containsAll(parts)) {
      return;
    }
    try (AgentJvm jvm = AgentJvm.on(Jdk.own()).classPath(Layout.wholeClassPath()).start("well")) {
      for (String part : parts) {
        WITHOUT.put(part, run(jvm, part));
      }
    }
  }

  @Test
  void allHooks_ofWhatIsQuick_changeNothing() {
    allFail("quick", QUICK, List.of("error", "memory"), 25);
  }

  @Test
  @Tag("long")
  void oneHook_thatThrowsAnError_changesNothing() {
    runWithoutTheAgent(PARTS);
    List<String> different = new ArrayList<>();
    try (AgentJvm jvm = failing("one-hook")) {
      Map<String, String> partOf = partsOfHooks(jvm, PARTS, 60);
      partOf.forEach(
          (place, part) -> {
            arm(jvm, place + ":error");
            List<String> with = run(jvm, part);
            String fired = arm(jvm, "");
            if (!with.equals(WITHOUT.get(part)) || fired.equals("@fired 0")) {
              different.add(place + " in " + part + ": " + fired);
            }
          });
      end(jvm);
      System.out.println(partOf.size() + " hooks have failed, one after another");
    }
    assertThat(different).isEmpty();
  }

  @Test
  @Tag("long")
  void allHooks_withoutMemory_changeNothing() {
    allFail("all-hooks", PARTS, List.of("memory"), 60);
  }

  private static void allFail(String name, List<String> parts, List<String> ways, int least) {
    runWithoutTheAgent(parts);
    try (AgentJvm jvm = failing(name)) {
      String all = String.join(",", partsOfHooks(jvm, parts, least).keySet());
      for (String how : ways) {
        for (String part : parts) {
          arm(jvm, all + ":" + how);
          assertThat(run(jvm, part)).as("%s: %s", how, part).isEqualTo(WITHOUT.get(part));
          assertThat(arm(jvm, "")).isNotEqualTo("@fired 0");
        }
      }
      // They work again, and nothing is left behind that would keep them from it.
      for (String part : parts) {
        assertThat(run(jvm, part)).as(part).isEqualTo(WITHOUT.get(part));
        assertThat(reached(jvm)).isNotEmpty();
      }
      end(jvm);
    }
  }

  private static AgentJvm failing(String name) {
    return AgentJvm.on(Jdk.own())
        .classPath(Layout.wholeClassPath())
        .option(FailingAgent.option())
        .deimos()
        .property("otel.traces.exporter", "none")
        .property("otel.metrics.exporter", "none")
        .page()
        .start("failing-" + name);
  }

  /** The hooks that are reached, each with the quickest part that reaches it. */
  private static Map<String, String> partsOfHooks(AgentJvm jvm, List<String> parts, int least) {
    Map<String, String> partOf = new TreeMap<>();
    reached(jvm);
    for (String part : parts) {
      run(jvm, part);
      for (String place : reached(jvm)) {
        partOf.putIfAbsent(place, part);
      }
    }
    assertThat(partOf).hasSizeGreaterThan(least);
    return partOf;
  }

  private static void end(AgentJvm jvm) {
    jvm.end();
    assertThat(jvm.err().stream().filter(l -> l.contains("a failure of Deimos itself")).toList())
        .isNotEmpty()
        .doesNotHaveDuplicates();
  }

  private static String arm(AgentJvm jvm, String what) {
    long before = count(jvm, "@fired ");
    jvm.tell("run faults-arm " + what);
    return last(jvm, "@fired ", before);
  }

  private static Set<String> reached(AgentJvm jvm) {
    long before = count(jvm, "@reached ");
    jvm.tell("run faults-reached");
    String line = last(jvm, "@reached ", before);
    String places = line.substring(line.indexOf('[') + 1, line.indexOf(']'));
    return places.isEmpty() ? Set.of() : new TreeSet<>(List.of(places.split(", ")));
  }

  private static List<String> run(AgentJvm jvm, String part) {
    int from = jvm.out().size();
    String end = "@done " + part;
    long before = count(jvm, end);
    jvm.tell("run " + part);
    jvm.awaitOut("the end of " + part, l -> count(jvm, end) > before || l.startsWith("@failed"));
    List<String> lines = jvm.out();
    return lines.subList(from, lines.size()).stream()
        .filter(l -> l.startsWith("@history ") || l.startsWith("@failed "))
        .toList();
  }

  private static long count(AgentJvm jvm, String start) {
    return jvm.out().stream().filter(l -> l.startsWith(start)).count();
  }

  private static String last(AgentJvm jvm, String start, long before) {
    jvm.awaitOut("an answer", l -> count(jvm, start) > before);
    List<String> all = jvm.out().stream().filter(l -> l.startsWith(start)).toList();
    return all.get(all.size() - 1);
  }
}
