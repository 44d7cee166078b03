// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TraceQueryTest {
  @ParameterizedTest
  @CsvSource({
    "duraton>5s, duration>",
    "durations<5s, duration<",
    "begann>2026-01-31T10:00:00Z, began>",
    "statsu:error, status:",
    "actors:Cart, actor:",
    "massage:Charge, message:"
  })
  void of_fieldMisspelled_namesTheOneThatWasMeant(String query, String meant) {
    assertThatThrownBy(() -> TraceQuery.of(query))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(query + ": there is no field ")
        .hasMessageContaining("did you mean " + meant + "?");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pekko://shop/user/cart",
        "127.0.0.1:17355",
        "host:8080",
        "a->b",
        "\"actors:Cart\"",
        "text:statsu:error",
        "order:4711"
      })
  void of_textWithSigns_isText(String query) {
    assertThat(TraceQuery.of(query).isEmpty()).isFalse();
  }
}
