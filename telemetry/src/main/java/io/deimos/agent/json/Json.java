// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.json;

import com.fasterxml.jackson.core.JsonEncoding;
import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.StreamWriteFeature;
import com.fasterxml.jackson.core.json.JsonWriteFeature;
import io.deimos.agent.log.Printable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value piece by piece, all of it once the value is whole. The result is ASCII, so
 * no character can be cut or mistaken: a lone surrogate is written as the replacement character, a
 * number JSON has no word for as null. Control characters and bidirectional overrides stay escapes
 * for the reader, too.
 */
public final class Json {
  private static final char REPLACEMENT = '\uFFFD';

  private static final JsonFactory FACTORY =
      JsonFactory.builder()
          .enable(JsonWriteFeature.ESCAPE_NON_ASCII)
          .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
          .disable(StreamWriteFeature.AUTO_CLOSE_TARGET)
          .disable(StreamWriteFeature.FLUSH_PASSED_TO_STREAM)
          .build();

  private final JsonGenerator to;

  /** Writes one value. */
  public interface Value {
    void writeTo(Json json) throws IOException;
  }

  /** Writes the members of an object. */
  public interface Members<T> {
    void writeTo(Json json, T of) throws IOException;
  }

  /**
   * @param to is neither flushed nor closed
   */
  public Json(OutputStream to) throws IOException {
    this.to = FACTORY.createGenerator(to, JsonEncoding.UTF8);
  }

  /**
   * @param to is neither flushed nor closed
   */
  public Json(Writer to) throws IOException {
    this.to = FACTORY.createGenerator(to);
  }

  /** One value, as bytes. */
  public static byte[] bytes(Value value) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      value.writeTo(new Json(bytes));
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written but to memory", e);
    }
    return bytes.toByteArray();
  }

  public Json beginObject() throws IOException {
    to.writeStartObject();
    return this;
  }

  public Json endObject() throws IOException {
    to.writeEndObject();
    return ended();
  }

  public Json beginArray() throws IOException {
    to.writeStartArray();
    return this;
  }

  public Json endArray() throws IOException {
    to.writeEndArray();
    return ended();
  }

  /** The name of the object's next member; its value follows. */
  public Json name(String name) throws IOException {
    to.writeFieldName(printable(name));
    return this;
  }

  public Json value(@Nullable String value) throws IOException {
    if (value == null) {
      return none();
    }
    to.writeString(printable(value));
    return ended();
  }

  public Json value(long value) throws IOException {
    to.writeNumber(value);
    return ended();
  }

  public Json value(double value) throws IOException {
    if (!Double.isFinite(value)) {
      return none();
    }
    to.writeNumber(value);
    return ended();
  }

  public Json value(boolean value) throws IOException {
    to.writeBoolean(value);
    return ended();
  }

  public Json value(@Nullable Number value) throws IOException {
    return value == null
        ? none()
        : value instanceof Double ? value(value.doubleValue()) : value(value.longValue());
  }

  public Json none() throws IOException {
    to.writeNull();
    return ended();
  }

  /** Null for a text that is empty. */
  public Json orNull(@Nullable String value) throws IOException {
    return value == null || value.isEmpty() ? none() : value(value);
  }

  /** An array of whole numbers. */
  public Json values(long[] values) throws IOException {
    to.writeArray(values, 0, values.length);
    return ended();
  }

  /** An array of objects. */
  public <T> Json objects(Iterable<? extends T> all, Members<T> members) throws IOException {
    beginArray();
    for (T one : all) {
      beginObject();
      members.writeTo(this, one);
      endObject();
    }
    return endArray();
  }

  /** An array of texts. */
  public Json values(Iterable<String> values) throws IOException {
    beginArray();
    for (String value : values) {
      value(value);
    }
    return endArray();
  }

  /** A value that was written by another of these. */
  public Json written(String json) throws IOException {
    to.writeRawValue(json);
    return ended();
  }

  private Json ended() throws IOException {
    if (to.getOutputContext().inRoot()) {
      to.close();
    }
    return this;
  }

  /** With escapes as text in place of all that moves the text around it. */
  private static String printable(String text) {
    int at = 0;
    while (at < text.length() && isWrittenAsItIs(text.charAt(at))) {
      at++;
    }
    if (at == text.length()) {
      return text;
    }
    StringBuilder printable = new StringBuilder(text.length() + 16).append(text, 0, at);
    for (; at < text.length(); at++) {
      char c = text.charAt(at);
      if (isWrittenAsItIs(c)) {
        printable.append(c);
      } else if (Character.isSurrogate(c)) {
        printable.append(isLone(text, at) ? REPLACEMENT : c);
      } else {
        printable.append(String.format("\\u%04x", (int) c));
      }
    }
    return printable.toString();
  }

  private static boolean isWrittenAsItIs(char c) {
    return (Printable.isPlain(c) && !Character.isSurrogate(c)) || isBlank(c);
  }

  private static boolean isBlank(char c) {
    return c == '\n' || c == '\r' || c == '\t';
  }

  private static boolean isLone(String text, int at) {
    char c = text.charAt(at);
    return Character.isHighSurrogate(c)
        ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
        : at == 0 || !Character.isHighSurrogate(text.charAt(at - 1));
  }
}
