// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.comparison;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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

  @Test
  void failed_whateverWasFound_isNotKept() {
    Verdict kept = Verdict.none(false).with("aa", "aa", REQUESTS);
    assertThat(kept.isRight()).isTrue();
    Verdict failed = kept.failed("IllegalStateException: a|b\n c");
    assertThat(failed.isRight()).isFalse();
    assertThat(failed).hasToString("**failed**: IllegalStateException: a/b c");
    assertThat(failed.with("aa", "aa", REQUESTS).isRight()).isFalse();
  }

  @Test
  void judge_rowWithoutItsEnd_hasFailed() {
    Map<String, Verdict> verdicts =
        Comparison.judge(
            Set.of("kept", "failed", "cut-off", "never", "tcp done", "tcp tell"),
            List.of(
                "@request kept=aa",
                "@seen kept=aa aa",
                "@done kept",
                "@request failed=bb",
                "@seen failed=bb bb",
                "@failed failed java.lang.IllegalStateException: waited in vain",
                "@request cut-off=cc",
                "@seen cut-off=cc cc",
                "@request tcp_done=dd",
                "@seen tcp_done=dd dd",
                "@done tcp done",
                "@failed run tcp tell pekko://a@127.0.0.1:1 java.lang.Error: no connection"),
            token -> token.substring(0, token.indexOf('=')).replace('_', ' '));
    assertThat(verdicts)
        .hasToString(
            new TreeMap<>(
                    Map.of(
                        "kept", "kept",
                        "failed", "**failed**: java.lang.IllegalStateException: waited in vain",
                        "cut-off", "**failed**: it did not end",
                        "never", "did not run",
                        "tcp done", "kept",
                        "tcp tell", "**failed**: java.lang.Error: no connection"))
                .toString());
  }
}
