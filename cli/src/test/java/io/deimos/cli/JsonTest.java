// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void read_values_areWhatTheyStandFor() {
    assertThat(Json.read(" {\"a\" : [1, -2.5e3, true, false, null, {}], \"b\":\"\"} "))
        .isEqualTo(
            Map.of(
                "a", java.util.Arrays.asList(1.0, -2500.0, true, false, null, Map.of()), "b", ""));
    assertThat(Json.read("\"a\\n\\u0041\\\"\\\\\\/\"")).isEqualTo("a\nA\"\\/");
    assertThat(Json.read("[]")).isEqualTo(List.of());
  }

  @Test
  void read_whatIsNoJson_isRefused() {
    for (String text :
        List.of(
            "", "{", "[1", "[1 2]", "{\"a\"}", "\"a", "\"\\u00g0\"", "tru", "1 1", "-", "<p>")) {
      assertThatThrownBy(() -> Json.read(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> Json.read("[".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
