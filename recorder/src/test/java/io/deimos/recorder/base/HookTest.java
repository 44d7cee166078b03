// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class HookTest {
  @Test
  void named_sameName_isTheSameHook() {
    assertThat(Hook.named("HookTest.same")).isSameAs(Hook.named("HookTest.same"));
  }

  @Test
  void hasFired_untilItFires_isFalse() {
    Hook hook = Hook.named("HookTest.fires");
    assertThat(hook.hasFired()).isFalse();
    hook.fires();
    hook.fires();
    assertThat(hook.hasFired()).isTrue();
    assertThat(Hook.named("HookTest.other").hasFired()).isFalse();
  }

  @Test
  void report_hookThatOnlyFired_isNeitherExpectedNorMissing() {
    Hook.named("HookTest.unasked").fires();
    assertThat(HookReport.hooks()).doesNotContain("HookTest.unasked");
    assertThat(HookReport.missing()).doesNotContain("HookTest.unasked");
  }

  @Test
  void report_expectedHook_isMissingUntilTheSelfTestHasShownIt() {
    HookReport.expect("HookTest.b");
    HookReport.expect("HookTest.a");
    Hook.named("HookTest.a").fires();
    assertThat(HookReport.missing()).containsSubsequence("HookTest.a", "HookTest.b");
    HookReport.checked("HookTest.a", true);
    HookReport.expect("HookTest.a"); // another class loader's Pekko has it as well
    HookReport.checked("HookTest.b", false);
    assertThat(HookReport.missing()).contains("HookTest.b").doesNotContain("HookTest.a");
    assertThat(HookReport.hooks()).contains("HookTest.a", "HookTest.b");
    HookReport.checked("HookTest.b", true);
  }
}
