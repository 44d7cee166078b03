// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class JsonTest {
  private final StringWriter out = new StringWriter();

  private static String quoted(String text) throws IOException {
    StringWriter out = new StringWriter();
    new Json(out).value(text);
    assertThat(new String(Json.bytes(json -> json.value(text)), StandardCharsets.US_ASCII))
        .isEqualTo(out.toString());
    return out.toString();
  }

  @Test
  void value_specialCharacters_areEscaped() throws IOException {
    assertThat(quoted("a\"b\\c/d")).isEqualTo("\"a\\\"b\\\\c/d\"");
    assertThat(quoted("\u0000\n\r\t\u001f\u007f"))
        .isEqualTo("\"\\\\u0000\\n\\r\\t\\\\u001f\\\\u007f\"");
    assertThat(quoted("\u2028é")).isEqualTo("\"\\\\u2028\\u00e9\"");
    assertThat(quoted("\u202e\u001b")).isEqualTo("\"\\\\u202e\\\\u001b\"");
  }

  @Test
  void value_surrogates_pairsStayAndLoneOnesAreReplaced() throws IOException {
    assertThat(quoted("\ud83d\ude00")).isEqualTo("\"\\ud83d\\ude00\"");
    assertThat(quoted("a\ud83d")).isEqualTo("\"a\\ufffd\"");
    assertThat(quoted("\ude00b")).isEqualTo("\"\\ufffdb\"");
    assertThat(quoted("\ud83d\ud83d\ude00\ude00")).isEqualTo("\"\\ufffd\\ud83d\\ude00\\ufffd\"");
  }

  @Test
  void value_numbers_areJson() throws IOException {
    Json json = new Json(out);
    json.beginArray();
    json.value(Long.MIN_VALUE).value(0.5).value(Double.NaN).value(Double.POSITIVE_INFINITY);
    json.value(true).value((String) null);
    json.endArray();
    assertThat(out.toString()).isEqualTo("[-9223372036854775808,0.5,null,null,true,null]");
  }

  @Test
  void structures_nested_haveTheirCommas() throws IOException {
    Json json = new Json(out);
    json.beginObject();
    json.name("a").beginArray();
    json.beginObject().endObject();
    json.beginObject().name("b").value(1).name("c").beginArray().endArray().endObject();
    json.endArray();
    json.name("d\n").value("e");
    json.endObject();
    assertThat(out.toString()).isEqualTo("{\"a\":[{},{\"b\":1,\"c\":[]}],\"d\\n\":\"e\"}");
  }
}
