// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.io.BufferedWriter;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One answer: its headers, packed if the client takes that, and no body for HEAD. It is made whole
 * in memory before any of it is sent, so that what fails half-way is an error and not half an
 * answer, and no thread of ours waits for a slow reader.
 */
final class Answer {
  /** The largest body; what would be longer is refused. */
  static final int MAX_BYTES = 64 << 20;

  private static final int BUFFER_BYTES = 8192;
  private static final Map<Integer, String> REASONS =
      Map.of(
          200, "OK",
          400, "Bad Request",
          401, "Unauthorized",
          403, "Forbidden",
          404, "Not Found",
          405, "Method Not Allowed",
          413, "Content Too Large",
          431, "Request Header Fields Too Large",
          500, "Internal Server Error",
          503, "Service Unavailable");

  private final @Nullable Request request;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private int status = 500;
  private byte[] body = {};

  /**
   * @param request what is answered; null if it could not be read
   */
  Answer(@Nullable Request request) {
    this.request = request;
    header("X-Content-Type-Options", "nosniff");
    header("Referrer-Policy", "no-referrer");
    header("Cross-Origin-Resource-Policy", "same-origin");
    header("Cache-Control", "no-store");
    header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }

  void header(String name, String value) {
    headers.put(name, value);
  }

  void page(Dashboard dashboard) {
    header("Content-Type", "text/html; charset=utf-8");
    header("Content-Security-Policy", dashboard.policy());
    header("Vary", "Accept-Encoding");
    status = 200;
    if (takesGzip()) {
      header("Content-Encoding", "gzip");
      body = dashboard.packed();
    } else {
      body = dashboard.html();
    }
  }

  void json(int status, Body written) throws IOException {
    header("Content-Type", "application/json");
    header("Vary", "Accept-Encoding");
    body(
        status,
        out -> {
          Writer writer =
              new BufferedWriter(
                  new OutputStreamWriter(out, StandardCharsets.US_ASCII), BUFFER_BYTES);
          written.writeTo(new Json(writer));
          writer.flush();
        });
  }

  void scraped(ScrapedText metrics) throws IOException {
    String accepted = request == null ? null : request.only("accept");
    header("Content-Type", metrics.contentType(accepted));
    header("Vary", "Accept, Accept-Encoding");
    header("X-Deimos-Age-Millis", Long.toString(metrics.ageMillis(accepted)));
    body(200, out -> metrics.writeTo(out, accepted));
  }

  /** An error as JSON, in place of whatever else was to be answered. */
  void error(int status, String said) {
    try {
      json(status, json -> json.beginObject().name("error").value(said).endObject());
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written but to memory", e);
    }
  }

  private void body(int status, Written written) throws IOException {
    this.status = status;
    if (isHead()) {
      return;
    }
    Bounded bytes = new Bounded();
    if (takesGzip()) {
      header("Content-Encoding", "gzip");
      try (OutputStream packed = new GZIPOutputStream(bytes, BUFFER_BYTES)) {
        written.writeTo(packed);
      }
    } else {
      headers.remove("Content-Encoding");
      written.writeTo(bytes);
    }
    body = bytes.toByteArray();
  }

  /** All that is sent. The connection is closed after it, since the next request is cheap here. */
  ByteBuffer bytes() {
    StringBuilder head =
        new StringBuilder("HTTP/1.1 ")
            .append(status)
            .append(' ')
            .append(REASONS.getOrDefault(status, "Error"))
            .append("\r\n");
    headers.forEach((name, value) -> append(head, name, value));
    append(
        head,
        "Date",
        DateTimeFormatter.RFC_1123_DATE_TIME.format(ZonedDateTime.now(ZoneOffset.UTC)));
    append(head, "Connection", "close");
    if (!isHead()) {
      append(head, "Content-Length", Integer.toString(body.length));
    }
    byte[] first = head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1);
    int length = isHead() ? 0 : body.length;
    return ByteBuffer.allocate(first.length + length).put(first).put(body, 0, length).flip();
  }

  private static void append(StringBuilder to, String name, String value) {
    to.append(name).append(": ").append(value).append("\r\n");
  }

  private boolean isHead() {
    return request != null && request.method().equals("HEAD");
  }

  private boolean takesGzip() {
    if (request == null) {
      return false;
    }
    for (String line : request.all("accept-encoding")) {
      for (String coding : line.toLowerCase(Locale.ROOT).split(",", -1)) {
        String[] parts = coding.split(";", -1);
        if (parts[0].strip().equals("gzip")) {
          return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
        }
      }
    }
    return false;
  }

  private static final class Bounded extends ByteArrayOutputStream {
    @Override
    public synchronized void write(int b) {
      check(1);
      super.write(b);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
      check(length);
      super.write(bytes, from, length);
    }

    private void check(int more) {
      if (count > MAX_BYTES - more) {
        throw new IllegalStateException(
            "it is larger than " + MAX_BYTES + " bytes; ask for less of it");
      }
    }
  }

  /** Writes the JSON of an answer. */
  interface Body {
    void writeTo(Json json) throws IOException;
  }

  private interface Written {
    void writeTo(OutputStream out) throws IOException;
  }
}
