// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.http;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.json.Json;
import java.io.BufferedWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * One answer: its headers, packed if the client takes that, and no body for HEAD. It is made whole
 * in memory before any of it is sent, so that what fails half-way is an error and not half an
 * answer, and no thread of ours waits for a slow reader. {@link AnswerMemory} says how large it may
 * become.
 */
public final class Answer {
  private static final int BUFFER_BYTES = 8192;
  private static final String TEXT = "text/plain; charset=utf-8";
  private static final Map<Integer, String> REASONS =
      Map.ofEntries(
          Map.entry(101, "Switching Protocols"),
          Map.entry(200, "OK"),
          Map.entry(202, "Accepted"),
          Map.entry(400, "Bad Request"),
          Map.entry(401, "Unauthorized"),
          Map.entry(403, "Forbidden"),
          Map.entry(404, "Not Found"),
          Map.entry(405, "Method Not Allowed"),
          Map.entry(413, "Content Too Large"),
          Map.entry(415, "Unsupported Media Type"),
          Map.entry(431, "Request Header Fields Too Large"),
          Map.entry(500, "Internal Server Error"),
          Map.entry(503, "Service Unavailable"));

  private final @Nullable Request request;
  private final AnswerMemory memory;
  private final Map<String, String> headers = new LinkedHashMap<>();
  private int status = 500;
  private Pieces made = new Pieces(AnswerMemory.unlimited());
  private byte @Nullable [] body;

  /** How long the body is that is unpacked while it is sent; negative for one that is not. */
  private long unpackedBytes = -1;

  private @Nullable Upgrade next;
  private @Nullable Further further;

  /**
   * @param request what is answered; null if it could not be read
   * @param memory what the body is made in
   */
  public Answer(@Nullable Request request, AnswerMemory memory) {
    this.request = request;
    this.memory = memory;
    header("X-Content-Type-Options", "nosniff");
    header("Referrer-Policy", "no-referrer");
    header("Cross-Origin-Resource-Policy", "same-origin");
    header("Cache-Control", "no-store");
    header("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
  }

  public void header(String name, String value) {
    headers.put(name, value);
  }

  /**
   * Something that is there already.
   *
   * @param isPacked whether the content is packed; only for a client that {@link #takesGzip}
   */
  public void ready(String type, byte[] content, boolean isPacked) {
    header("Content-Type", type);
    header("Vary", "Accept-Encoding");
    status = 200;
    if (isPacked) {
      header("Content-Encoding", "gzip");
    }
    body = content;
  }

  public void json(int status, Body written) throws IOException {
    jsonHeaders();
    body(status, memory, out -> written.writeTo(new Json(out)));
  }

  /** Without a body. */
  public void empty(int status) throws IOException {
    body(status, AnswerMemory.unlimited(), out -> {}, false);
  }

  /** JSON as a file, packed whatever the client takes. */
  public void packed(String file, Body written) throws IOException {
    packedBytes(file, out -> written.writeTo(new Json(out)));
  }

  /** Bytes as a file, packed likewise. */
  public void packedBytes(String file, Written written) throws IOException {
    header("Content-Type", "application/gzip");
    header("Content-Disposition", "attachment; filename=\"" + file + "\"");
    body(
        200,
        memory,
        out -> {
          try (OutputStream packed = new GZIPOutputStream(out, BUFFER_BYTES)) {
            written.writeTo(packed);
          }
        },
        false);
  }

  /** Text as a file. */
  public void text(String file, Text written) throws IOException {
    header("Content-Type", TEXT);
    header("Content-Disposition", "attachment; filename=\"" + file + "\"");
    body(
        200,
        memory,
        out -> {
          Writer writer =
              new BufferedWriter(new OutputStreamWriter(out, StandardCharsets.UTF_8), BUFFER_BYTES);
          written.writeTo(writer);
          writer.flush();
        });
  }

  private void jsonHeaders() {
    header("Content-Type", "application/json");
    header("Vary", "Accept-Encoding");
  }

  /** The answer of another process. It takes of the memory for answers like any other. */
  public void passedOn(Reply reply) throws IOException {
    if (reply.text()) {
      header("Content-Type", TEXT);
      header("Content-Disposition", "attachment");
      header("Vary", "Accept-Encoding");
    } else {
      jsonHeaders();
    }
    body(reply.status(), memory, out -> out.write(reply.body()), false);
    if (isPacked(reply) && !isHead()) {
      header("Content-Encoding", "gzip");
    }
  }

  /** Some of what a process packs it packs for everybody, and does not say so. */
  private static boolean isPacked(Reply reply) {
    byte[] body = reply.body();
    return reply.gzip() || (body.length > 1 && body[0] == 0x1f && body[1] == (byte) 0x8b);
  }

  /**
   * The connection is no longer HTTP after this answer, but a link, if the client proves who it is.
   */
  public void becomes(String protocol, Upgrade link) {
    header("Upgrade", protocol);
    link.says().forEach(this::header);
    status = 101;
    next = link;
  }

  /** Server-sent events, which go on until the client or they end. */
  public void stream(Further events) {
    header("Content-Type", "text/event-stream");
    header("Vary", "Accept-Encoding");
    header("X-Accel-Buffering", "no"); // what lies between is to pass each event on at once
    if (takesGzip()) {
      header("Content-Encoding", "gzip");
    }
    status = 200;
    further = events;
  }

  /** The answer as another process may pass it on. */
  public Reply reply() {
    Further events = further;
    if (events != null) {
      events.end();
      further = null;
      headers.remove("Content-Encoding");
      error(404, "a stream is not passed on; ask the page that serves for it");
    }
    try {
      return new Reply(
          status,
          headers.containsKey("Content-Encoding"),
          TEXT.equals(headers.get("Content-Type")),
          made.bytes());
    } finally {
      made.release();
    }
  }

  /**
   * Something that is kept packed: sent as it is kept, or unpacked while it is sent.
   *
   * @param length of what is packed
   */
  public void kept(Pieces packed, long length) throws AnswerMemory.ExceededException {
    Pieces shared = packed.sharedBy(memory);
    made.release();
    made = shared;
    body = null;
    status = 200;
    if (takesGzip()) {
      header("Content-Encoding", "gzip");
    } else {
      unpackedBytes = length;
    }
  }

  /**
   * The body of this, to be given {@linkplain #again again}; null if it is no whole JSON, or there
   * is no room to keep it.
   *
   * @param from what it is taken from as long as it is kept
   */
  public @Nullable Pieces kept(AnswerMemory from) {
    if (status != 200 || body != null || further != null || next != null || isHead()) {
      return null;
    }
    try {
      return made.sharedBy(from);
    } catch (AnswerMemory.ExceededException e) {
      return null;
    }
  }

  public boolean isPacked() {
    return headers.containsKey("Content-Encoding");
  }

  /**
   * Answers what was answered before.
   *
   * @param whole JSON; belongs to this answer from now on
   */
  public void again(Pieces whole, boolean isPacked, long ageNanos) {
    jsonHeaders();
    if (isPacked) {
      header("Content-Encoding", "gzip");
    }
    header("X-Deimos-Age-Millis", Long.toString(ageNanos / 1_000_000));
    status = 200;
    made.release();
    made = whole;
    body = null;
  }

  /** Something small that is neither JSON of ours nor the page. */
  public void bytes(int status, String type, byte[] content) throws IOException {
    header("Content-Type", type);
    body(status, AnswerMemory.unlimited(), out -> out.write(content), false);
  }

  /** An error, for a request that has not been read. */
  public static Answer refusal(int status, String said) {
    Answer refusal = new Answer(null, AnswerMemory.unlimited());
    refusal.error(status, said);
    return refusal;
  }

  /** An error as JSON, in place of whatever else was to be answered. */
  public void error(int status, String said) {
    try {
      jsonHeaders();
      headers.remove("Content-Disposition");
      body(
          status,
          AnswerMemory.unlimited(),
          out -> new Json(out).beginObject().name("error").value(said).endObject());
    } catch (IOException e) {
      throw new IllegalStateException("nothing is written but to memory", e);
    }
  }

  private void body(int status, AnswerMemory from, Written written) throws IOException {
    body(status, from, written, takesGzip());
  }

  private void body(int status, AnswerMemory from, Written written, boolean packs)
      throws IOException {
    this.status = status;
    if (isHead()) {
      return;
    }
    unpackedBytes = -1;
    Pieces pieces = new Pieces(from);
    try {
      if (packs) {
        header("Content-Encoding", "gzip");
        try (OutputStream packed = new GZIPOutputStream(pieces, BUFFER_BYTES)) {
          written.writeTo(packed);
        }
      } else {
        headers.remove("Content-Encoding");
        written.writeTo(pieces);
      }
    } catch (Throwable t) {
      pieces.release();
      throw t;
    }
    made.release();
    made = pieces;
    body = null;
  }

  /** All that is sent. The connection is closed after it, since the next request is cheap here. */
  public Outgoing outgoing() {
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
    append(head, "Connection", next == null ? "close" : "Upgrade");
    List<ByteBuffer> buffers = new ArrayList<>();
    InputStream rest = null;
    if (!isHead() && next == null && further == null) {
      byte[] fixed = body;
      long length = fixed == null ? made.length() : fixed.length;
      if (fixed != null) {
        buffers.add(ByteBuffer.wrap(fixed));
      } else if (unpackedBytes < 0) {
        buffers.addAll(made.buffers());
      } else {
        rest = unpacked(made);
        length = unpackedBytes;
      }
      append(head, "Content-Length", Long.toString(length));
    }
    buffers.add(
        0, ByteBuffer.wrap(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1)));
    return new Outgoing(buffers, rest, made::release, next, further);
  }

  private static InputStream unpacked(Pieces packed) {
    try {
      return new GZIPInputStream(packed.read(), BUFFER_BYTES);
    } catch (IOException e) {
      throw new IllegalStateException("nothing is read but from memory", e);
    }
  }

  private static void append(StringBuilder to, String name, String value) {
    to.append(name).append(": ").append(value).append("\r\n");
  }

  public boolean isHead() {
    return request != null && request.method().equals("HEAD");
  }

  public boolean takesGzip() {
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

  /** Writes the JSON of an answer. */
  public interface Body {
    void writeTo(Json json) throws IOException;
  }

  /** Writes an answer that is text. */
  public interface Text {
    void writeTo(Writer out) throws IOException;
  }

  /** Writes an answer that is neither. */
  public interface Written {
    void writeTo(OutputStream out) throws IOException;
  }
}
