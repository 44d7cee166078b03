// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.json.Json;
import jakarta.json.JsonArray;
import jakarta.json.JsonStructure;
import jakarta.json.JsonValue;
import java.io.IOException;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Patches are applied by another implementation of RFC 6902. */
class JsonPatchTest {
  private static final long SEED = 0x5eed;
  private static final int PAIRS = 3_000;
  private static final String[] NAMES = {"id", "a/b", "m~n", "quo\"te", "", "né", "rows", "\\u"};

  private final Random random = new Random(SEED);

  @Test
  void counterMoves_isOneReplace() {
    assertThat(
            patch(
                "{\"count\":1,\"name\":\"Payment\",\"p\":[1,2,3,4,5,6,7,8,9]}",
                "{\"count\":2,\"name\":\"Payment\",\"p\":[1,2,3,4,5,6,7,8,9]}"))
        .isEqualTo("[{\"op\":\"replace\",\"path\":\"/count\",\"value\":2}]");
  }

  @Test
  void nothingMoves_isEmpty() {
    assertThat(patch("{\"count\":1}", "{\"count\":1}")).isEqualTo("[]");
  }

  @Test
  void rowMoreAtTheBeginning_isThatRow() {
    String rows = "{\"id\":\"1\",\"name\":\"a long name\"},{\"id\":\"2\",\"name\":\"a long name\"}";
    assertThat(patch("{\"rows\":[" + rows + "]}", "{\"rows\":[{\"id\":\"0\"}," + rows + "]}"))
        .isEqualTo("[{\"op\":\"add\",\"path\":\"/rows/0\",\"value\":{\"id\":\"0\"}}]");
  }

  @Test
  void rowsGoAndComeAndChange_eachIsOneOperation() {
    String stays = "{\"id\":\"2\",\"name\":\"a name that is rather long\",\"n\":1}";
    String changed = "{\"id\":\"2\",\"name\":\"a name that is rather long\",\"n\":5}";
    String padding = "\"x\":\"" + "y".repeat(200) + "\"";
    assertThat(
            patch(
                "{\"rows\":[{\"id\":\"1\"}," + stays + "]," + padding + "}",
                "{\"rows\":[" + changed + ",{\"id\":\"3\"}]," + padding + "}"))
        .isEqualTo(
            "[{\"op\":\"remove\",\"path\":\"/rows/0\"},"
                + "{\"op\":\"replace\",\"path\":\"/rows/0/n\",\"value\":5},"
                + "{\"op\":\"add\",\"path\":\"/rows/1\",\"value\":{\"id\":\"3\"}}]");
  }

  @Test
  void namesWithSlashAndTilde_areEscapedAsPointersAreAndFound() {
    String padding = "\"x\":\"" + "y".repeat(100) + "\"";
    assertThat(
            patch("{\"a/b\":{\"m~n\":1}," + padding + "}", "{\"a/b\":{\"m~n\":2}," + padding + "}"))
        .contains("\"/a~1b/m~0n\"");
  }

  @Test
  void allIsDifferent_noPatchIsMade() {
    assertThat(patch("{\"a\":1}", "{\"b\":2}")).isNull();
    assertThat(patch("1", "2")).isNull();
    assertThat(patch("[1]", "{\"b\":2}")).isNull();
  }

  @Test
  void anyTwo_thePatchMakesTheSecondOfTheFirst() throws IOException {
    int made = 0;
    for (int i = 0; i < PAIRS; i++) {
      Object first = object(4);
      Object second = random.nextInt(10) == 0 ? object(4) : changed(first, 4);
      String before = written(first);
      String after = written(second);
      String patch = patch(before, after);
      if (patch != null) {
        made++;
        assertThat(applied(before, patch))
            .as("%s%n%s%n%s", before, after, patch)
            .isEqualTo(read(after));
        assertThat(patch.length()).isLessThan(Math.max(3, after.length()));
      }
    }
    assertThat(made).as("patches that were worth it").isGreaterThan(PAIRS / 3);
  }

  private static @Nullable String patch(String before, String after) {
    byte[] made =
        JsonPatch.between(
            before.getBytes(StandardCharsets.US_ASCII), after.getBytes(StandardCharsets.US_ASCII));
    return made == null ? null : new String(made, StandardCharsets.US_ASCII);
  }

  static JsonValue applied(String before, String patch) {
    JsonArray operations = (JsonArray) read(patch);
    return Json.createPatch(operations).apply((JsonStructure) read(before));
  }

  static JsonValue read(String text) {
    return Json.createReader(new StringReader(text)).readValue();
  }

  private static String written(@Nullable Object value) throws IOException {
    StringWriter text = new StringWriter();
    write(new io.deimos.agent.json.Json(text), value);
    return text.toString();
  }

  private static void write(io.deimos.agent.json.Json json, @Nullable Object value)
      throws IOException {
    if (value instanceof Map<?, ?> object) {
      json.beginObject();
      for (Map.Entry<?, ?> member : object.entrySet()) {
        write(json.name((String) member.getKey()), member.getValue());
      }
      json.endObject();
    } else if (value instanceof List<?> array) {
      json.beginArray();
      for (Object element : array) {
        write(json, element);
      }
      json.endArray();
    } else if (value instanceof Long number) {
      json.value(number.longValue());
    } else if (value instanceof Double number) {
      json.value(number.doubleValue());
    } else if (value instanceof Boolean flag) {
      json.value(flag.booleanValue());
    } else {
      json.value((String) value);
    }
  }

  private Map<String, @Nullable Object> object(int depth) {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    int count = random.nextInt(NAMES.length);
    for (int i = 0; i < count; i++) {
      members.put(NAMES[random.nextInt(NAMES.length)], value(depth - 1));
    }
    return members;
  }

  private @Nullable Object value(int depth) {
    return switch (random.nextInt(depth > 0 ? 8 : 5)) {
      case 0 -> random.nextLong(100);
      case 1 -> random.nextDouble();
      case 2 -> random.nextBoolean();
      case 3 -> null;
      case 4 -> "te\"xt\\ {[,:]} né \u202e" + random.nextInt(50);
      case 5 -> object(depth);
      default -> rows(depth);
    };
  }

  private List<@Nullable Object> rows(int depth) {
    List<@Nullable Object> rows = new ArrayList<>();
    int count = random.nextInt(6);
    boolean keyed = random.nextBoolean();
    for (int i = 0; i < count; i++) {
      if (keyed) {
        Map<String, @Nullable Object> row = new LinkedHashMap<>();
        row.put("id", (long) random.nextInt(8));
        row.putAll(object(depth - 1));
        rows.add(row);
      } else {
        rows.add(value(depth - 1));
      }
    }
    return rows;
  }

  /** A copy with little that is different. */
  private @Nullable Object changed(@Nullable Object value, int depth) {
    if (random.nextInt(12) == 0) {
      return depth == 4 ? value : value(depth);
    }
    if (value instanceof Map<?, ?> object) {
      Map<String, @Nullable Object> copy = new LinkedHashMap<>();
      for (Map.Entry<?, ?> member : object.entrySet()) {
        if (random.nextInt(15) != 0) {
          copy.put((String) member.getKey(), changed(member.getValue(), depth - 1));
        }
      }
      if (random.nextInt(8) == 0) {
        copy.put(NAMES[random.nextInt(NAMES.length)], value(depth - 1));
      }
      return copy;
    }
    if (value instanceof List<?> array) {
      List<@Nullable Object> copy = new ArrayList<>();
      for (Object element : array) {
        if (random.nextInt(8) != 0) {
          copy.add(changed(element, depth - 1));
        }
      }
      if (random.nextInt(4) == 0) {
        copy.add(random.nextInt(copy.size() + 1), value(depth - 1));
      }
      return copy;
    }
    return value;
  }
}
