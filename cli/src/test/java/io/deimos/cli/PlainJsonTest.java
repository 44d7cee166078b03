// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PlainJsonTest {
  @Test
  void read_values_areWhatTheyStandFor() {
    assertThat(PlainJson.read(" {\"a\" : [1, -2.5e3, true, false, null, {}], \"b\":\"\"} "))
        .isEqualTo(
            Map.of(
                "a", java.util.Arrays.asList(1.0, -2500.0, true, false, null, Map.of()), "b", ""));
    assertThat(PlainJson.read("\"a\\n\\u0041\\\"\\\\\\/\"")).isEqualTo("a\nA\"\\/");
    assertThat(PlainJson.read("[]")).isEqualTo(List.of());
  }

  @Test
  void read_whatIsNoJson_isRefused() {
    for (String text :
        List.of(
            "", "{", "[1", "[1 2]", "{\"a\"}", "\"a", "\"\\u00g0\"", "tru", "1 1", "-", "<p>")) {
      assertThatThrownBy(() -> PlainJson.read(text))
          .as(text)
          .isInstanceOf(IllegalArgumentException.class);
    }
    assertThatThrownBy(() -> PlainJson.read("[".repeat(100_000)))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
