// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WireContextTest {
  @Test
  void wait_thatAPeerSays_isBounded() throws Exception {
    assertThat(WireContext.nanos("5")).isEqualTo(5);
    assertThat(WireContext.nanos("-5")).isZero();
    assertThat(WireContext.nanos(Long.toString(Long.MAX_VALUE)))
        .isEqualTo(WireContext.MAX_WAIT_NANOS);
  }
}
