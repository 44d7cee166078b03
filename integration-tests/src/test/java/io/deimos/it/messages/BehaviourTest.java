// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.Layout;
import io.deimos.it.harness.OnOneJdk;
import io.deimos.it.harness.OtlpReceiver;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agent changes nothing of what is delivered, to whom, in which order, and how failures end.
 */
@OnOneJdk
class BehaviourTest {
  private static final List<String> PARTS =
      List.of(
          "history",
          "history-asks",
          "history-typed-asks",
          "history-timers",
          "history-supervision",
          "history-routes",
          "history-promises",
          "history-persistence",
          "history-cluster");

  private final Jdk jdk;

  BehaviourTest(Jdk jdk) {
    this.jdk = jdk;
  }

  /**
   * Classic and typed actors that get messages in order, fail, restart, resume, back off, stash,
   * route and end; ask and are answered, or not in time; are told by timers; write, recover, and
   * are put to rest. Dead letters and unhandled messages are part of it.
   *
   * @param how serialized: every message and every maker of an actor goes through its serializer
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "serialized"})
  void history_withAndWithoutTheAgent_isTheSame(String how) {
    Map<String, List<String>> without = histories(AgentJvm.on(jdk), "history-without", how);
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      Map<String, List<String>> with =
          histories(AgentJvm.on(jdk).form(how.isEmpty()).exportTo(receiver), "history-with", how);
      for (String part : PARTS) {
        assertThat(without.get(part)).as(part).hasSizeGreaterThan(100);
        assertThat(with.get(part)).as(part).isEqualTo(without.get(part));
        assertThat(receiver.spans())
            .as("spans of %s", part)
            .filteredOn(s -> part.equals(s.system()))
            .hasSizeGreaterThan(100);
      }
    }
  }

  private static Map<String, List<String>> histories(
      AgentJvm.Builder builder, String name, String how) {
    try (AgentJvm jvm = builder.classPath(Layout.wholeClassPath()).start(name)) {
      PARTS.forEach(part -> jvm.tell(("run " + part + " " + how).trim()));
      jvm.end();
      Map<String, List<String>> histories = new HashMap<>();
      List<String> lines = new ArrayList<>();
      for (String line : jvm.out()) {
        if (line.startsWith("@history ")) {
          lines.add(line);
        } else if (line.startsWith("@done ")) {
          histories.put(line.substring("@done ".length()), lines);
          lines = new ArrayList<>();
        }
      }
      assertThat(histories).as(jvm.transcript()).containsOnlyKeys(PARTS);
      return histories;
    }
  }
}
