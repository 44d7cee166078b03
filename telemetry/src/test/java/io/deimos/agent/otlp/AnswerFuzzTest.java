// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;

/** A collector's answer may be anything. */
class AnswerFuzzTest {
  @FuzzTest
  void rejected_anyAnswer_isANumber(byte[] answer) {
    PartialSuccess partial = PartialSuccess.of(answer);
    assertThat(partial.rejected()).isNotNegative();
    assertThat(partial.words()).hasSizeLessThanOrEqualTo(200);
  }
}
