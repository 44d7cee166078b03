// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.json;

import static io.deimos.agent.json.JsonReader.read;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
  @Test
  void read_eachKind_isItsValue() {
    assertThat(read(" {\"a\": [1, -2.5e1, true, false, null, \"\\u00e9\\n\"], \"b\": {}} "))
        .isEqualTo(Map.of("a", Arrays.asList(1L, -25.0, true, false, null, "é\n"), "b", Map.of()));
  }

  @Test
  void read_wholeNumbers_areLongIfTheyFit() {
    assertThat(read("[9223372036854775807, 9223372036854775808]"))
        .isEqualTo(List.of(Long.MAX_VALUE, 0x1p63));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        " ",
        "{",
        "[1",
        "[1,]",
        "{\"a\"}",
        "{\"a\":1,}",
        "{a:1}",
        "tru",
        "nul",
        "1 2",
        "{}}",
        "01",
        "+1",
        "NaN",
        "\"a",
        "\"\\x\"",
        "\"\\u12g4\"",
        "\"\u0001\"",
        "// no\n1"
      })
  void read_noJson_isRefused(String text) {
    assertRefused(text);
  }

  @Test
  void read_twoMembersOfOneName_isRefused() {
    assertRefused("{\"a\":1,\"a\":1}");
  }

  @Test
  void read_whatIsNested_endsAtItsBound() {
    assertThat(read("[".repeat(100) + "]".repeat(100))).isInstanceOf(List.class);
    assertRefused("[".repeat(101) + "]".repeat(101));
    assertRefused("{\"a\":".repeat(101) + "1" + "}".repeat(101));
  }

  @Test
  void read_numberOfManyDigits_endsAtItsBound() {
    assertThat(read("1".repeat(300))).isInstanceOf(Double.class);
    assertRefused("1".repeat(1001));
    assertRefused("0." + "1".repeat(1001));
  }

  @Test
  void read_longStringOrName_isReadWhole() {
    String text = "x".repeat(1 << 20);
    assertThat(read("\"" + text + "\"")).isEqualTo(text);
    assertThat(read("{\"" + text + "\":1}")).isEqualTo(Map.of(text, 1L));
  }

  private static void assertRefused(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageMatching("no JSON at character \\d+");
  }
}
