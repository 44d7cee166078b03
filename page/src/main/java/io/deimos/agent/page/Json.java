// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.log.Printable;
import java.io.IOException;
import java.io.Writer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON value piece by piece. The caller pairs {@code begin} and {@code end}; commas and
 * escapes are seen to. What it writes is ASCII, so no character can be cut or mistaken: a lone
 * surrogate is written as the replacement character, a number JSON has no word for as null. Control
 * characters and bidirectional overrides stay escapes for the reader, too.
 */
final class Json {
  private static final char REPLACEMENT = '\uFFFD';
  private static final String HEX = "0123456789abcdef";

  private final Writer to;
  private boolean comma;

  Json(Writer to) {
    this.to = to;
  }

  Json beginObject() throws IOException {
    return open('{');
  }

  Json endObject() throws IOException {
    return close('}');
  }

  Json beginArray() throws IOException {
    return open('[');
  }

  Json endArray() throws IOException {
    return close(']');
  }

  /** The name of the object's next member; its value follows. */
  Json name(String name) throws IOException {
    separate();
    quote(name);
    to.write(':');
    comma = false;
    return this;
  }

  Json value(@Nullable String value) throws IOException {
    separate();
    if (value == null) {
      to.write("null");
    } else {
      quote(value);
    }
    comma = true;
    return this;
  }

  Json value(long value) throws IOException {
    return raw(Long.toString(value));
  }

  Json value(double value) throws IOException {
    return raw(Double.isFinite(value) ? Double.toString(value) : "null");
  }

  Json value(boolean value) throws IOException {
    return raw(value ? "true" : "false");
  }

  /** An array of texts. */
  Json values(Iterable<String> values) throws IOException {
    beginArray();
    for (String value : values) {
      value(value);
    }
    return endArray();
  }

  /** A value that was written by another of these. */
  Json written(String json) throws IOException {
    return raw(json);
  }

  private Json raw(String literal) throws IOException {
    separate();
    to.write(literal);
    comma = true;
    return this;
  }

  private Json open(char bracket) throws IOException {
    separate();
    to.write(bracket);
    comma = false;
    return this;
  }

  private Json close(char bracket) throws IOException {
    to.write(bracket);
    comma = true;
    return this;
  }

  private void separate() throws IOException {
    if (comma) {
      to.write(',');
    }
  }

  private void quote(String text) throws IOException {
    to.write('"');
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        to.write('\\');
        to.write(c);
      } else if (c >= ' ' && c < 0x7F) {
        to.write(c);
      } else if (Printable.isPlain(c) || c == '\n' || c == '\r' || c == '\t') {
        escape(isLone(text, i) ? REPLACEMENT : c);
      } else {
        to.write('\\'); // what moves the text around it arrives as its escape, and is seen as that
        escape(c);
      }
    }
    to.write('"');
  }

  private static boolean isLone(String text, int at) {
    char c = text.charAt(at);
    return Character.isHighSurrogate(c)
        ? at + 1 == text.length() || !Character.isLowSurrogate(text.charAt(at + 1))
        : Character.isLowSurrogate(c)
            && (at == 0 || !Character.isHighSurrogate(text.charAt(at - 1)));
  }

  private void escape(char c) throws IOException {
    to.write("\\u");
    for (int shift = 12; shift >= 0; shift -= 4) {
      to.write(HEX.charAt(c >> shift & 15));
    }
  }
}
