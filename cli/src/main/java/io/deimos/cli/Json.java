// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonFactoryBuilder;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.json.JsonReadFeature;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A JSON object. Its values are maps, lists, strings, doubles, booleans and null. */
record Json(Map<String, @Nullable Object> fields) {
  private static final JsonFactory FACTORY =
      new JsonFactoryBuilder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(100)
                  .maxStringLength(PageClient.MAX_BYTES)
                  .build())
          .enable(JsonReadFeature.ALLOW_UNESCAPED_CONTROL_CHARS)
          .build();

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if the text is no JSON
   */
  static @Nullable Object read(String text) {
    try (JsonParser in = FACTORY.createParser(text)) {
      in.nextToken();
      @Nullable Object value = value(in);
      if (in.nextToken() != null) {
        throw new JsonParseException(in, "more than one value");
      }
      return value;
    } catch (IOException e) {
      throw new IllegalArgumentException("its answer is no JSON (" + e + ")", e);
    }
  }

  /**
   * Reads an object.
   *
   * @throws IllegalArgumentException if the text is none
   */
  static Json readObject(String text) {
    if (read(text) instanceof Map<?, ?> map) {
      return of(map);
    }
    throw new IllegalArgumentException("its answer is no JSON object");
  }

  private static @Nullable Object value(JsonParser in) throws IOException {
    @Nullable JsonToken token = in.currentToken();
    if (token == JsonToken.START_OBJECT) {
      Map<String, @Nullable Object> map = new LinkedHashMap<>();
      while (in.nextToken() != JsonToken.END_OBJECT) {
        String name = in.currentName();
        in.nextToken();
        map.put(name, value(in));
      }
      return map;
    }
    if (token == JsonToken.START_ARRAY) {
      List<@Nullable Object> list = new ArrayList<>();
      while (in.nextToken() != JsonToken.END_ARRAY) {
        list.add(value(in));
      }
      return list;
    }
    if (token == null || !token.isScalarValue()) {
      throw new JsonParseException(in, "a value is missing");
    }
    if (token == JsonToken.VALUE_NULL) {
      return null;
    }
    return token.isNumeric()
        ? (Object) in.getDoubleValue()
        : token.isBoolean() ? (Object) in.getBooleanValue() : in.getText();
  }

  @SuppressWarnings("unchecked")
  private static Json of(@Nullable Object value) {
    return new Json(
        value instanceof Map ? (Map<String, @Nullable Object>) value : new LinkedHashMap<>());
  }

  /**
   * A field of an object; of a list its {@code size}, its {@code last}, the {@code sum} of its
   * numbers, or this field of each. Null if there is none.
   */
  static @Nullable Object field(@Nullable Object of, String name) {
    if (of instanceof List<?> list) {
      return switch (name) {
        case "size" -> (double) list.size();
        case "last" -> list.isEmpty() ? null : list.get(list.size() - 1);
        case "sum" -> list.stream().mapToDouble(n -> n instanceof Double one ? one : 0).sum();
        default -> {
          List<@Nullable Object> each = new ArrayList<>();
          list.forEach(one -> each.add(field(one, name)));
          yield each;
        }
      };
    }
    return of instanceof Map<?, ?> map ? map.get(name) : null;
  }

  /** Adds what is shown and was not answered. */
  void put(String name, @Nullable Object value) {
    fields.put(name, value);
  }

  boolean has(String name) {
    return fields.get(name) != null;
  }

  boolean is(String name, Object value) {
    return value.equals(fields.get(name));
  }

  String text(String name) {
    return String.valueOf(fields.get(name));
  }

  /** 0 for what is none. */
  double number(String name) {
    return fields.get(name) instanceof Double number ? number : 0;
  }

  /** Empty for what is none. */
  Json at(String name) {
    return of(fields.get(name));
  }

  /** The objects of a list. */
  List<Json> each(String name) {
    return fields.get(name) instanceof List<?> list
        ? list.stream().map(Json::of).toList()
        : List.of();
  }
}
