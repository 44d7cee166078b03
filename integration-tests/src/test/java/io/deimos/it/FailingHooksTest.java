// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every call that is woven into Pekko fails, one after another: the application's messages, their
 * order and how its failures end stay as they are without the agent.
 */
@Tag("long")
class FailingHooksTest {
  /** Between them they reach most of what is woven. The quick ones first: a hook fails in one. */
  private static final List<String> PARTS =
      List.of(
          "history-typed-asks",
          "history-asks",
          "history-supervision",
          "history-routes",
          "history-timers",
          "history",
          "history-persistence",
          "history-cluster");

  private static final Map<String, List<String>> WITHOUT = new HashMap<>();

  @BeforeAll
  static void runWithoutTheAgent() {
    try (AgentJvm jvm = AgentJvm.on(Jdk.own()).classPath(Layout.wholeClassPath()).start("well")) {
      for (String part : PARTS) {
        WITHOUT.put(part, run(jvm, part));
      }
    }
  }

  @Test
  void oneHook_thatThrowsAnError_changesNothing() {
    List<String> different = new ArrayList<>();
    try (AgentJvm jvm = failing("one-hook")) {
      Map<String, String> partOf = partsOfHooks(jvm);
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
  void allHooks_withoutMemory_changeNothing() {
    try (AgentJvm jvm = failing("all-hooks")) {
      String all = String.join(",", partsOfHooks(jvm).keySet());
      for (String part : PARTS) {
        arm(jvm, all + ":memory");
        assertThat(run(jvm, part)).as(part).isEqualTo(WITHOUT.get(part));
        assertThat(arm(jvm, "")).isNotEqualTo("@fired 0");
      }
      // They work again, and nothing is left behind that would keep them from it.
      for (String part : PARTS) {
        assertThat(run(jvm, part)).as(part).isEqualTo(WITHOUT.get(part));
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
        .property("deimos.page.enabled", "true")
        .property("deimos.page.port", "0")
        .start("failing-" + name);
  }

  /** The hooks that are reached, each with the quickest part that reaches it. */
  private static Map<String, String> partsOfHooks(AgentJvm jvm) {
    Map<String, String> partOf = new TreeMap<>();
    reached(jvm);
    for (String part : PARTS) {
      run(jvm, part);
      for (String place : reached(jvm)) {
        partOf.putIfAbsent(place, part);
      }
    }
    assertThat(partOf).hasSizeGreaterThan(60);
    return partOf;
  }

  private static void end(AgentJvm jvm) {
    jvm.tell("end");
    assertThat(jvm.awaitExit()).isZero();
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
