// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JsonTest {
  @Test
  void write_nestedValues_keepsOrderOnOneLine() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("z", 1);
    value.put("a", List.of(true, 2.50, "x"));
    value.put("m", Map.of());
    assertThat(Json.write(value)).isEqualTo("{\"z\":1,\"a\":[true,2.5,\"x\"],\"m\":{}}");
  }

  @Test
  void write_largeDecimal_hasNoExponent() {
    assertThat(Json.write(12_345_678_901.0)).isEqualTo("12345678901");
  }

  @Test
  void write_stringWithControlCharacters_escapesThem() {
    assertThat(Json.write("a\"b\\c\n\u0001")).isEqualTo("\"a\\\"b\\\\c\\n\\u0001\"");
  }

  @Test
  void write_notANumber_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Json.write(Double.NaN));
  }

  @Test
  void parseObject_whatWasWritten_isTheSame() {
    Map<String, Object> value = new LinkedHashMap<>();
    value.put("text", "tab\t, quote\", slash\\, \u00e9");
    value.put("number", -12.5);
    value.put("list", List.of(1.0, Map.of("k", false)));
    assertThat(Json.parseObject(Json.write(value))).isEqualTo(value);
  }

  @Test
  void parseObject_spaceAndExponent_isUnderstood() {
    assertThat(Json.parseObject(" { \"a\" : [ 1e3 , 2 ] , \"b\" : \"\\u0041\" } "))
        .isEqualTo(Map.of("a", List.of(1000.0, 2.0), "b", "A"));
  }

  @Test
  void parseObject_cutOff_namesTheCharacter() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Json.parseObject("{\"a\":1"))
        .withMessageContaining("character 6");
  }

  @Test
  void parseObject_trailingText_isRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> Json.parseObject("{} x"));
  }

  @Test
  void round_halves_goUp() {
    assertThat(Json.round(1.25, 1)).isEqualTo(1.3);
    assertThat(Json.round(7_737_293.6, 0)).isEqualTo(7_737_294);
  }
}
