// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.JsonTokenId;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON strictly into maps, lists, strings, numbers, booleans and null, or token by token.
 * Whole numbers are {@link Long}, if they are no greater than that, all others {@link Double}.
 *
 * <p><b>Bounds.</b> Nesting has an end, and so has a number. A string or a name is no longer than
 * the text that it is in. Nothing is kept of the names, which strangers choose.
 */
public final class JsonReader {
  private static final int MAX_DEPTH = 100;
  private static final int MAX_DIGITS = 1000;

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.CANONICALIZE_FIELD_NAMES)
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(MAX_DEPTH)
                  .maxNumberLength(MAX_DIGITS)
                  .maxStringLength(Integer.MAX_VALUE)
                  .maxNameLength(Integer.MAX_VALUE)
                  .build())
          .build();

  private JsonReader() {}

  /** Takes a value's tokens, from its first, which is the current one, to its last. */
  public interface Tokens {
    void take(JsonParser from) throws IOException;
  }

  /**
   * Reads one value.
   *
   * @throws IllegalArgumentException if the text is no JSON, or goes beyond a bound
   */
  public static @Nullable Object read(String text) {
    List<@Nullable Object> value = new ArrayList<>(1);
    read(new StringReader(text), from -> value.add(value(from)));
    return value.get(0);
  }

  /**
   * Reads one value token by token.
   *
   * @param text memory, so that reading it does not fail
   * @throws IllegalArgumentException if it is no JSON, or goes beyond a bound
   */
  public static void read(Reader text, Tokens tokens) {
    try (JsonParser from = FACTORY.createParser(text)) {
      try {
        from.nextToken();
        tokens.take(from);
        if (from.nextToken() != null) {
          throw wrong(from, null);
        }
      } catch (IOException e) {
        throw wrong(from, e);
      }
    } catch (IOException e) {
      throw new IllegalStateException("nothing is read but from memory", e);
    }
  }

  @SuppressWarnings("unchecked")
  public static Map<String, Object> object(@Nullable Object value) {
    return (Map<String, Object>) Objects.requireNonNull(value);
  }

  @SuppressWarnings("unchecked")
  public static List<Object> array(@Nullable Object value) {
    return (List<Object>) Objects.requireNonNull(value);
  }

  private static @Nullable Object value(JsonParser from) throws IOException {
    return switch (from.currentTokenId()) {
      case JsonTokenId.ID_START_OBJECT -> members(from);
      case JsonTokenId.ID_START_ARRAY -> elements(from);
      case JsonTokenId.ID_STRING -> from.getText();
      case JsonTokenId.ID_TRUE -> true;
      case JsonTokenId.ID_FALSE -> false;
      case JsonTokenId.ID_NULL -> null;
      case JsonTokenId.ID_NUMBER_INT ->
          from.getNumberType() == JsonParser.NumberType.BIG_INTEGER
              ? (Object) from.getDoubleValue()
              : (Object) from.getLongValue();
      case JsonTokenId.ID_NUMBER_FLOAT -> from.getDoubleValue();
      default -> throw wrong(from, null);
    };
  }

  private static Map<String, @Nullable Object> members(JsonParser from) throws IOException {
    Map<String, @Nullable Object> members = new LinkedHashMap<>();
    while (from.nextToken() != JsonToken.END_OBJECT) {
      String name = from.currentName();
      from.nextToken();
      if (members.containsKey(name)) {
        throw wrong(from, null);
      }
      members.put(name, value(from));
    }
    return members;
  }

  private static List<@Nullable Object> elements(JsonParser from) throws IOException {
    List<@Nullable Object> elements = new ArrayList<>();
    while (from.nextToken() != JsonToken.END_ARRAY) {
      elements.add(value(from));
    }
    return elements;
  }

  private static IllegalArgumentException wrong(JsonParser at, @Nullable IOException why) {
    return new IllegalArgumentException(
        "no JSON at character " + at.currentLocation().getCharOffset(), why);
  }
}
