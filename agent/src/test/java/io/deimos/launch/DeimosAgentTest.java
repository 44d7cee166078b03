// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class DeimosAgentTest {
  @Test
  void isTooOld_versionsBefore17_true() {
    assertThat(DeimosAgent.isTooOld("1.8")).isTrue();
    assertThat(DeimosAgent.isTooOld("11")).isTrue();
    assertThat(DeimosAgent.isTooOld("16")).isTrue();
  }

  @Test
  void isTooOld_versionsFrom17_false() {
    assertThat(DeimosAgent.isTooOld("17")).isFalse();
    assertThat(DeimosAgent.isTooOld("25")).isFalse();
    assertThat(DeimosAgent.isTooOld("something new")).isFalse();
  }
}
