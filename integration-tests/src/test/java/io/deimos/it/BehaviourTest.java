// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * The agent changes nothing of what is delivered, to whom, in which order, and how failures end.
 */
@OnEachJdk
class BehaviourTest {
  private final Jdk jdk;

  BehaviourTest(Jdk jdk) {
    this.jdk = jdk;
  }

  @Test
  void history_withAndWithoutTheAgent_isTheSame() {
    List<String> without = history(AgentJvm.on(jdk), "history-without");
    try (OtlpReceiver receiver = OtlpReceiver.start()) {
      List<String> with = history(AgentJvm.on(jdk).deimos().exportTo(receiver), "history-with");
      assertThat(without).hasSizeGreaterThan(250);
      assertThat(with).isEqualTo(without);
      assertThat(receiver.spans()).hasSizeGreaterThan(250);
    }
  }

  private static List<String> history(AgentJvm.Builder builder, String name) {
    try (AgentJvm jvm = builder.start(name)) {
      jvm.tell("run history").tell("end");
      assertThat(jvm.awaitExit()).isZero();
      assertThat(jvm.out()).as(jvm.transcript()).contains("@done history");
      return jvm.out().stream().filter(l -> l.startsWith("@history")).toList();
    }
  }
}
