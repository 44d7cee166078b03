// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import org.junit.jupiter.api.Test;

class VerdictTest {
  private static final Set<String> REQUESTS = Set.of("aa", "bb");

  private static String of(boolean apart, String trace, String... found) {
    Verdict verdict = Verdict.none(apart);
    for (String one : found) {
      verdict = verdict.with(trace, one, REQUESTS);
    }
    return verdict.toString();
  }

  @Test
  void with_theRequestsOwnTrace_isKept() {
    assertThat(of(false, "aa", "aa", "aa")).isEqualTo("kept");
  }

  @Test
  void with_noTraceOrANewOne_isLost() {
    assertThat(of(false, "aa", "none", "cc")).isEqualTo("**lost**");
    assertThat(of(false, "aa", "none", "aa")).isEqualTo("**lost** 1 of 2");
  }

  @Test
  void with_anotherRequestsTrace_isLeaked() {
    assertThat(of(false, "aa", "bb")).isEqualTo("**leaked**");
    assertThat(of(false, "aa", "bb", "none")).isEqualTo("**lost** 1 of 2, **leaked** 1 of 2");
  }

  @Test
  void with_traceThatShouldNotBeThere_isLeakedOrApart() {
    assertThat(of(true, "aa", "aa")).isEqualTo("**leaked**");
    assertThat(of(true, "aa", "none", "cc")).isEqualTo("apart");
    assertThat(of(false, "!aa", "aa", "cc")).isEqualTo("**leaked** 1 of 2");
    assertThat(of(false, "!aa", "none")).isEqualTo("apart");
  }

  @Test
  void with_nothingFound_didNotRun() {
    assertThat(of(false, "aa")).isEqualTo("did not run");
  }
}
