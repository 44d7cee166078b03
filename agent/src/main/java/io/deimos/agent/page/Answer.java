// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import java.io.BufferedOutputStream;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/** One answer: its headers, packed if the browser takes that, and no body for HEAD. */
final class Answer {
  private static final int BUFFER_BYTES = 8192;

  private final HttpExchange exchange;
  private boolean begun;

  Answer(HttpExchange exchange) {
    this.exchange = exchange;
    header("X-Content-Type-Options", "nosniff");
    header("Referrer-Policy", "no-referrer");
    header("Cross-Origin-Resource-Policy", "same-origin");
    header("Cache-Control", "no-store");
    header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }

  void header(String name, String value) {
    exchange.getResponseHeaders().set(name, value);
  }

  void page(Dashboard dashboard) throws IOException {
    header("Content-Type", "text/html; charset=utf-8");
    header("Content-Security-Policy", dashboard.policy());
    header("Vary", "Accept-Encoding");
    byte[] bytes = dashboard.html();
    if (takesGzip()) {
      header("Content-Encoding", "gzip");
      bytes = dashboard.packed();
    }
    begun = true;
    exchange.sendResponseHeaders(200, isHead() ? -1 : bytes.length);
    if (!isHead()) {
      exchange.getResponseBody().write(bytes);
    }
  }

  void json(int status, Body body) throws IOException {
    header("Content-Type", "application/json");
    header("Vary", "Accept-Encoding");
    boolean packed = takesGzip();
    if (packed) {
      header("Content-Encoding", "gzip");
    }
    if (isHead()) {
      begun = true;
      exchange.sendResponseHeaders(status, -1);
      return;
    }
    OutputStream out = new BufferedOutputStream(new LateBody(status), BUFFER_BYTES);
    if (packed) {
      out = new GZIPOutputStream(out, BUFFER_BYTES);
    }
    // Closed only when all is written: what is cut off must not look whole.
    Writer writer =
        new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.US_ASCII), BUFFER_BYTES);
    body.writeTo(new Json(writer));
    writer.close();
  }

  void scraped(ScrapedText metrics) throws IOException {
    String accepted = exchange.getRequestHeaders().getFirst("Accept");
    header("Content-Type", metrics.contentType(accepted));
    header("Vary", "Accept, Accept-Encoding");
    boolean packed = takesGzip();
    if (packed) {
      header("Content-Encoding", "gzip");
    }
    if (isHead()) {
      begun = true;
      exchange.sendResponseHeaders(200, -1);
      return;
    }
    OutputStream out = new BufferedOutputStream(new LateBody(200), BUFFER_BYTES);
    if (packed) {
      out = new GZIPOutputStream(out, BUFFER_BYTES);
    }
    metrics.writeTo(out, accepted);
    out.close();
  }

  /** An error as JSON; without effect once an answer has begun. */
  void error(int status, String said) throws IOException {
    if (!begun) {
      json(status, json -> json.beginObject().name("error").value(said).endObject());
    }
  }

  private boolean isHead() {
    return exchange.getRequestMethod().equals("HEAD");
  }

  private boolean takesGzip() {
    Headers headers = exchange.getRequestHeaders();
    for (String line : headers.getOrDefault("Accept-Encoding", List.of())) {
      for (String coding : line.toLowerCase(Locale.ROOT).split(",", -1)) {
        String[] parts = coding.split(";", -1);
        if (parts[0].strip().equals("gzip")) {
          return parts.length == 1 || !parts[1].strip().matches("q=0(\\.0*)?");
        }
      }
    }
    return false;
  }

  /** Sends the headers with the first bytes: until then the answer can still become an error. */
  private final class LateBody extends OutputStream {
    private final int status;
    private @Nullable OutputStream body;

    LateBody(int status) {
      this.status = status;
    }

    private OutputStream body() throws IOException {
      OutputStream open = body;
      if (open == null) {
        begun = true;
        exchange.sendResponseHeaders(status, 0);
        open = exchange.getResponseBody();
        body = open;
      }
      return open;
    }

    @Override
    public void write(int one) throws IOException {
      body().write(one);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      body().write(bytes, from, length);
    }

    @Override
    public void flush() throws IOException {
      if (body != null) {
        body.flush();
      }
    }

    @Override
    public void close() throws IOException {
      body().close();
    }
  }

  /** Writes the JSON of an answer. */
  interface Body {
    void writeTo(Json json) throws IOException;
  }
}
