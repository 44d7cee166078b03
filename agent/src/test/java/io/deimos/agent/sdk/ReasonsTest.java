// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ReasonsTest {
  @Test
  void of_exceptionWithCauses_isWhatEachSays() {
    Throwable inner = new IllegalArgumentException("there is no such file");
    Throwable outer = new IllegalStateException("the exporter", new RuntimeException(inner));
    assertThat(Reasons.of(outer)).isEqualTo("the exporter: there is no such file");
  }

  @Test
  void of_exceptionsThatSaySame_isItOnce() {
    Throwable outer = new IllegalStateException("no", new IllegalArgumentException("no"));
    assertThat(Reasons.of(outer)).isEqualTo("no");
  }

  @Test
  void of_exceptionWithoutWords_isItsClass() {
    assertThat(Reasons.of(new NullPointerException())).isEqualTo("java.lang.NullPointerException");
  }
}
