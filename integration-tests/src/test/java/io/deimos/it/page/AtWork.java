// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;

/** An application that says how often it has done its work: the scenario {@code rounds}. */
final class AtWork {
  private static final String ROUND = "@round ";

  private AtWork() {}

  /** Begins, and goes on until the JVM ends. */
  static void begin(AgentJvm jvm) {
    jvm.tell("run rounds");
  }

  /** It goes on, and has gone on all the while: it has waited in vain for no answer. */
  static void awaitMore(AgentJvm jvm) {
    int before = last(jvm);
    jvm.awaitOut("another round", line -> number(line) > before);
    assertThat(jvm.out()).noneMatch(line -> line.startsWith("@missed"));
  }

  private static int last(AgentJvm jvm) {
    return jvm.out().stream().mapToInt(AtWork::number).max().orElse(0);
  }

  private static int number(String line) {
    return line.startsWith(ROUND) ? Integer.parseInt(line.substring(ROUND.length())) : 0;
  }
}
