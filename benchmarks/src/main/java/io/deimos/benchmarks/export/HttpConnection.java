// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.export;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The requests of one connection, as exporters send them: HTTP/1.1, with a length or in chunks,
 * perhaps packed by gzip. A body is read straight into one buffer, in reads as large as it: the
 * JDK's own server reads 8 KiB at a time, and would be what is measured. One thread's.
 */
final class HttpConnection {
  private static final int FIRST_BUFFER_BYTES = 2 << 20;
  private static final int MAX_HEAD_BYTES = 1 << 16;

  private final InputStream in;
  private final OutputStream out;
  private byte[] buffer = new byte[FIRST_BUFFER_BYTES];
  private int position;
  private int limit;

  /** A request; its body is there until the next one is read. */
  static final class Request {
    private final String target;
    private final byte[] body;
    private final int from;
    private final int length;

    private Request(String target, byte[] body, int from, int length) {
      this.target = target;
      this.body = body;
      this.from = from;
      this.length = length;
    }

    String target() {
      return target;
    }

    /** Holds the body, unpacked, from {@link #from} on. */
    byte[] body() {
      return body;
    }

    int from() {
      return from;
    }

    int length() {
      return length;
    }
  }

  HttpConnection(Socket socket) throws IOException {
    in = socket.getInputStream();
    out = socket.getOutputStream();
  }

  /** The next request, or null when the other side has closed the connection. */
  @Nullable Request next() throws IOException {
    String head = head();
    if (head == null) {
      return null;
    }
    String[] lines = head.split("\r\n", -1);
    String[] first = lines[0].split(" ", 3);
    if (first.length < 3) {
      throw new IOException("not HTTP: " + lines[0]);
    }
    byte[] body;
    int from;
    int length;
    if ("chunked".equalsIgnoreCase(header(lines, "transfer-encoding"))) {
      body = chunks();
      from = 0;
      length = body.length;
    } else {
      String given = header(lines, "content-length");
      length = given == null ? 0 : Integer.parseInt(given);
      fill(length);
      body = buffer;
      from = position;
      position += length;
    }
    if ("gzip".equalsIgnoreCase(header(lines, "content-encoding"))) {
      try (InputStream packed =
          new GZIPInputStream(new ByteArrayInputStream(body, from, length), 1 << 16)) {
        body = packed.readAllBytes();
        from = 0;
        length = body.length;
      }
    }
    return new Request(first[1], body, from, length);
  }

  void answer(int status, String type, byte[] body) throws IOException {
    byte[] head =
        String.format(
                Locale.ROOT,
                "HTTP/1.1 %d %s\r\nContent-Type: %s\r\nContent-Length: %d\r\n\r\n",
                status,
                status == 200 ? "OK" : "Bad Request",
                type,
                body.length)
            .getBytes(StandardCharsets.ISO_8859_1);
    byte[] whole = Arrays.copyOf(head, head.length + body.length);
    System.arraycopy(body, 0, whole, head.length, body.length);
    out.write(whole);
  }

  private @Nullable String head() throws IOException {
    int scanned = 0;
    while (true) {
      for (int at = position + scanned; at + 4 <= limit; at++) {
        if (buffer[at] == '\r'
            && buffer[at + 1] == '\n'
            && buffer[at + 2] == '\r'
            && buffer[at + 3] == '\n') {
          String head = new String(buffer, position, at - position, StandardCharsets.ISO_8859_1);
          position = at + 4;
          return head;
        }
      }
      scanned = Math.max(0, limit - position - 3);
      if (scanned > MAX_HEAD_BYTES) {
        throw new IOException("no end of a request's head after " + scanned + " bytes");
      }
      boolean between = position == limit;
      if (!read(limit - position + 1)) {
        if (between) {
          return null;
        }
        throw new EOFException("the connection ended within a request's head");
      }
    }
  }

  private static @Nullable String header(String[] lines, String name) {
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      if (colon == name.length() && lines[i].regionMatches(true, 0, name, 0, colon)) {
        return lines[i].substring(colon + 1).strip();
      }
    }
    return null;
  }

  private byte[] chunks() throws IOException {
    ByteArrayOutputStream all = new ByteArrayOutputStream();
    while (true) {
      int length = Integer.parseInt(line().split(";", 2)[0].strip(), 16);
      fill(length + 2); // with the line's end
      all.write(buffer, position, length);
      position += length + 2;
      if (length == 0) {
        return all.toByteArray();
      }
    }
  }

  private String line() throws IOException {
    for (int length = 0; ; length++) {
      fill(length + 2);
      if (buffer[position + length] == '\r' && buffer[position + length + 1] == '\n') {
        String line = new String(buffer, position, length, StandardCharsets.ISO_8859_1);
        position += length + 2;
        return line;
      }
    }
  }

  /** Sees to it that {@code bytes} from {@link #position} on are there. */
  private void fill(int bytes) throws IOException {
    while (limit - position < bytes) {
      if (!read(bytes)) {
        throw new EOFException("the connection ended within a request");
      }
    }
  }

  /** Reads once, having made room for {@code bytes} from {@link #position} on. */
  private boolean read(int bytes) throws IOException {
    if (position == limit) {
      position = 0;
      limit = 0;
    }
    if (position + bytes > buffer.length) {
      byte[] to = bytes > buffer.length ? new byte[Integer.highestOneBit(bytes) * 2] : buffer;
      System.arraycopy(buffer, position, to, 0, limit - position);
      limit -= position;
      position = 0;
      buffer = to;
    }
    int read = in.read(buffer, limit, buffer.length - limit);
    limit += Math.max(0, read);
    return read > 0;
  }
}
