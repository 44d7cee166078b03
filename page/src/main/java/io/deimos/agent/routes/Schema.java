// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.routes;

import io.deimos.agent.json.Json;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The form of a value in an answer, or of a parameter of a request, as JSON Schema writes it.
 * Immutable.
 *
 * <p>The fields of an object are all there, but those that are {@link #maybe}. An unknown value is
 * null, and {@link #orNull} says so.
 */
public final class Schema {
  private static final String OBJECT = "object";
  private static final String REFERENCE = "#/components/schemas/";
  private static final String WITHIN = "#/$defs/";

  /** Part of an answer that was searched for. */
  public static final Schema NOT_LOOKED_AT =
      list(text(""), "The things that were not looked at, a sentence each; empty if all were.");

  private final String type;
  private final String words;
  private final String name;
  private final boolean nullable;
  private final boolean optional;
  private final @Nullable Schema of;
  private final Map<String, Schema> fields;
  private final Map<String, Object> bounds;

  private Schema(
      String type,
      String words,
      String name,
      boolean nullable,
      boolean optional,
      @Nullable Schema of,
      Map<String, Schema> fields,
      Map<String, Object> bounds) {
    this.type = type;
    this.words = words;
    this.name = name;
    this.nullable = nullable;
    this.optional = optional;
    this.of = of;
    this.fields = fields;
    this.bounds = bounds;
  }

  private static Schema of(String type, String words, @Nullable Schema of) {
    return new Schema(type, words, "", false, false, of, Map.of(), Map.of());
  }

  public static Schema text(String words) {
    return of("string", words, null);
  }

  /** A text of hexadecimal digits. */
  public static Schema hex(int digits, String words) {
    return text(words).bound("pattern", "^[0-9a-f]{" + digits + "}$");
  }

  public static Schema oneOf(List<String> choices, String words) {
    return text(words).bound("enum", List.copyOf(choices));
  }

  public static Schema whole(String words) {
    return of("integer", words, null);
  }

  public static Schema number(String words) {
    return of("number", words, null);
  }

  public static Schema flag(String words) {
    return of("boolean", words, null);
  }

  public static Schema any(String words) {
    return of("", words, null);
  }

  public static Schema list(Schema of, String words) {
    return of("array", words, of);
  }

  /** An object whose members all have a value of one kind, whatever their names. */
  public static Schema map(Schema of, String words) {
    return of(OBJECT, words, of);
  }

  public static Schema object(String words) {
    return of(OBJECT, words, null);
  }

  /** An object that the document has once, by its name. */
  public static Schema named(String name, String words) {
    return new Schema(OBJECT, words, name, false, false, null, Map.of(), Map.of());
  }

  public Schema with(String field, Schema schema) {
    Map<String, Schema> more = new LinkedHashMap<>(fields);
    more.put(field, schema);
    return new Schema(
        type, words, name, nullable, optional, of, Collections.unmodifiableMap(more), bounds);
  }

  /** With the fields of another object, too. */
  public Schema withAll(Schema other) {
    Schema all = this;
    for (Map.Entry<String, Schema> field : other.fields.entrySet()) {
      all = all.with(field.getKey(), field.getValue());
    }
    return all;
  }

  public Schema orNull() {
    return new Schema(type, words, name, true, optional, of, fields, bounds);
  }

  /** A field that is not always there. */
  public Schema maybe() {
    return new Schema(type, words, name, nullable, true, of, fields, bounds);
  }

  Schema within(long least, long most) {
    return bound("minimum", least).bound("maximum", most);
  }

  public Schema otherwise(Object value) {
    return bound("default", value);
  }

  private Schema bound(String keyword, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(bounds);
    more.put(keyword, value);
    return new Schema(
        type, words, name, nullable, optional, of, fields, Collections.unmodifiableMap(more));
  }

  String name() {
    return name;
  }

  String words() {
    return words;
  }

  /** The named objects in it, itself included, by name. */
  void collect(Map<String, Schema> into) {
    if (!name.isEmpty()) {
      into.put(name, this);
    }
    fields.values().forEach(field -> field.collect(into));
    if (of != null) {
      of.collect(into);
    }
  }

  /** As a value: named objects by reference. */
  public void writeTo(Json json) throws IOException {
    writeTo(json, REFERENCE);
  }

  /** With its fields, whether it has a name or not. */
  void writeWholeTo(Json json) throws IOException {
    json.beginObject();
    writeFieldsTo(json, REFERENCE);
    json.endObject();
  }

  /** As a document of its own, which has the named objects in it. */
  public void writeAloneTo(Json json) throws IOException {
    Map<String, Schema> named = new TreeMap<>();
    fields.values().forEach(field -> field.collect(named));
    json.beginObject();
    writeFieldsTo(json, WITHIN);
    if (!named.isEmpty()) {
      json.name("$defs").beginObject();
      for (Map.Entry<String, Schema> one : named.entrySet()) {
        json.name(one.getKey()).beginObject();
        one.getValue().writeFieldsTo(json, WITHIN);
        json.endObject();
      }
      json.endObject();
    }
    json.endObject();
  }

  private void writeTo(Json json, String references) throws IOException {
    if (name.isEmpty()) {
      json.beginObject();
      writeFieldsTo(json, references);
      json.endObject();
    } else if (nullable) {
      json.beginObject().name("anyOf").beginArray();
      json.beginObject().name("$ref").value(references + name).endObject();
      json.beginObject().name("type").value("null").endObject();
      json.endArray().endObject();
    } else {
      json.beginObject().name("$ref").value(references + name).endObject();
    }
  }

  private void writeFieldsTo(Json json, String references) throws IOException {
    if (!type.isEmpty()) {
      json.name("type");
      if (nullable && name.isEmpty()) {
        json.beginArray().value(type).value("null").endArray();
      } else {
        json.value(type);
      }
    }
    if (!words.isEmpty()) {
      json.name("description").value(words);
    }
    for (Map.Entry<String, Object> bound : bounds.entrySet()) {
      value(json.name(bound.getKey()), bound.getValue());
    }
    if (of != null) {
      of.writeTo(json.name(type.equals(OBJECT) ? "additionalProperties" : "items"), references);
    }
    if (!fields.isEmpty()) {
      json.name("properties").beginObject();
      for (Map.Entry<String, Schema> field : fields.entrySet()) {
        field.getValue().writeTo(json.name(field.getKey()), references);
      }
      json.endObject();
      value(
          json.name("required"),
          fields.keySet().stream().filter(field -> !isOptional(field)).toList());
    }
  }

  /** Whether it says what is in it. */
  public boolean hasFields() {
    return !fields.isEmpty();
  }

  private boolean isOptional(String field) {
    Schema schema = fields.get(field);
    return schema != null && schema.optional;
  }

  private static void value(Json json, Object value) throws IOException {
    if (value instanceof Number number) {
      json.value(number.longValue());
    } else if (value instanceof Boolean flag) {
      json.value(flag);
    } else if (value instanceof List<?> list) {
      json.beginArray();
      for (Object one : list) {
        json.value(String.valueOf(one));
      }
      json.endArray();
    } else {
      json.value(String.valueOf(value));
    }
  }
}
