// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The agent changes nothing of what is delivered, to whom, in which order, and how failures end.
 */
@OnEachJdk
class BehaviourTest {
  private final Jdk jdk;

  BehaviourTest(Jdk jdk) {
    this.jdk = jdk;
  }

  /**
   * Classic and typed actors that get messages in order, fail, restart, resume, stash, route and
   * end; what was for nobody and what nobody handled is part of it.
   *
   * @param how serialized: every message and every maker of an actor goes through its serializer
   */
  @ParameterizedTest
  @ValueSource(strings = {"", "serialized"})
  void history_withAndWithoutTheAgent_isTheSame(String how) {
    List<String> without = history(AgentJvm.on(jdk), "history-without", how);
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      List<String> with =
          history(AgentJvm.on(jdk).deimos().exportTo(receiver), "history-with", how);
      assertThat(without).hasSizeGreaterThan(500);
      assertThat(with).isEqualTo(without);
      assertThat(receiver.spans()).hasSizeGreaterThan(500);
    }
  }

  private static List<String> history(AgentJvm.Builder builder, String name, String how) {
    try (AgentJvm jvm = builder.start(name)) {
      jvm.tell(("run history " + how).trim()).tell("end");
      assertThat(jvm.awaitExit()).isZero();
      assertThat(jvm.out()).as(jvm.transcript()).contains("@done history");
      return jvm.out().stream().filter(l -> l.startsWith("@history")).toList();
    }
  }
}
