// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The findings of the agent's check. Immutable; asks anew each time. */
public final class Check {
  private final Function<List<String>, List<Map<String, Object>>> agent;
  private final List<String> ignored;

  Check(Function<List<String>, List<Map<String, Object>>> agent, List<String> ignored) {
    this.agent = agent;
    this.ignored = ignored;
  }

  /**
   * Without these findings.
   *
   * @param findings as {@code deimos.check.ignore} names them: {@code thread-blocked}, or {@code
   *     thread-blocked:/user/legacy*}
   */
  public Check ignoring(String... findings) {
    List<String> all = new ArrayList<>(ignored);
    all.addAll(List.of(findings));
    return new Check(agent, List.copyOf(all));
  }

  /** Each in text: its rule, its severity, and what it says. */
  public List<String> findings() {
    return agent.apply(ignored).stream()
        .map(one -> one.get("rule") + " (" + one.get("severity") + "): " + one.get("says"))
        .toList();
  }

  /**
   * Asserts that there is no finding.
   *
   * @throws AssertionError that has all findings with what to do, if there is one
   */
  public void isClean() {
    List<Map<String, Object>> found = agent.apply(ignored);
    if (!found.isEmpty()) {
      throw new AssertionError(
          "the check should find nothing, but finds\n"
              + found.stream().map(Check::shown).collect(Collectors.joining("\n")));
    }
  }

  private static String shown(Map<String, Object> finding) {
    return "%s (%s): %s\n  %s\n  %s"
        .formatted(
            finding.get("rule"),
            finding.get("severity"),
            finding.get("says"),
            finding.get("costs"),
            finding.get("advice"));
  }
}
