// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.bootstrap;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class ProgressTest {
  @Test
  void stopHalfway_betweenBegunAndReady_hasNothingRecorded() {
    AtomicInteger stopped = new AtomicInteger();
    assertThat(Progress.stopHalfway()).isFalse();
    Progress.begun(stopped::incrementAndGet);
    assertThat(stopped).hasValue(0);
    assertThat(Progress.stopHalfway()).isTrue();
    assertThat(stopped).hasValue(1);
    Progress.ready();
    assertThat(Progress.stopHalfway()).isFalse();
    assertThat(stopped).hasValue(1);
  }
}
