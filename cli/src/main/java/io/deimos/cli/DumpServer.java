// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.math.BigInteger;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.Locale;

/**
 * Shows a dump by the page of this jar, on a free port of 127.0.0.1, to whoever knows the address:
 * its path begins with a random number, so that other users of this machine, who can find the port,
 * get nothing. Below that, {@code /} is the page and {@code /dump} the file. One request at a time;
 * nothing can be changed.
 */
final class DumpServer implements AutoCloseable {
  private static final Charset US = StandardCharsets.US_ASCII;
  private static final byte[] LOOPBACK = {127, 0, 0, 1};
  private static final int QUEUED = 50;
  private static final int SECRET_BITS = 128;
  private static final int PATIENCE_MILLIS = 5_000;
  private static final int MAX_HEADER_CHARS = 16_384;
  private static final String PAGE = "/io/deimos/dashboard/index.html";

  private final ServerSocket socket;
  private final Path file;
  private final byte[] page;
  private final String root = "/" + new BigInteger(SECRET_BITS, new SecureRandom()).toString(36);

  /**
   * @param port 0 for any free one
   */
  DumpServer(Path file, int port) throws IOException {
    this.file = file;
    this.page = page();
    this.socket = new ServerSocket(port, QUEUED, InetAddress.getByAddress(LOOPBACK));
  }

  String url() {
    return "http://127.0.0.1:" + socket.getLocalPort() + root + "/?dump";
  }

  /** Answers until it is closed. */
  void run() {
    while (!socket.isClosed()) {
      try (Socket client = socket.accept()) {
        client.setSoTimeout(PATIENCE_MILLIS);
        answer(client);
      } catch (IOException e) {
        // That client got no answer; the next may.
      }
    }
  }

  private void answer(Socket client) throws IOException {
    BufferedReader in =
        new BufferedReader(
            new InputStreamReader(client.getInputStream(), StandardCharsets.ISO_8859_1));
    String request = line(in);
    String host = null;
    int room = MAX_HEADER_CHARS;
    for (String header = line(in); !header.isEmpty() && room > 0; header = line(in)) {
      room -= header.length();
      if (header.toLowerCase(Locale.ROOT).startsWith("host:")) {
        host = header.substring(5).trim();
      }
    }
    OutputStream out = client.getOutputStream();
    String port = ":" + socket.getLocalPort();
    if (!("127.0.0.1" + port).equals(host) && !("localhost" + port).equals(host)) {
      write(out, "403 Forbidden", "text/plain", "this is for 127.0.0.1 only".getBytes(US));
    } else if (request.startsWith("GET " + root + "/dump ")) {
      head(out, "200 OK", "application/gzip", Files.size(file));
      Files.copy(file, out);
      out.flush();
    } else if (request.startsWith("GET " + root + "/ ")
        || request.startsWith("GET " + root + "/?")) {
      write(out, "200 OK", "text/html; charset=utf-8", page);
    } else {
      write(out, "404 Not Found", "text/plain", "nothing here".getBytes(US));
    }
  }

  /** At most so many characters; empty at the end. */
  private static String line(BufferedReader in) throws IOException {
    StringBuilder line = new StringBuilder();
    for (int c = in.read(); c >= 0 && c != '\n'; c = in.read()) {
      if (line.length() == MAX_HEADER_CHARS) {
        throw new IOException("a line is too long");
      }
      if (c != '\r') {
        line.append((char) c);
      }
    }
    return line.toString();
  }

  private static void write(OutputStream out, String status, String type, byte[] body)
      throws IOException {
    head(out, status, type, body.length);
    out.write(body);
    out.flush();
  }

  private static void head(OutputStream out, String status, String type, long length)
      throws IOException {
    out.write(
        ("HTTP/1.1 "
                + status
                + "\r\nContent-Type: "
                + type
                + "\r\nContent-Length: "
                + length
                + "\r\nX-Content-Type-Options: nosniff\r\nCache-Control: no-store"
                + "\r\nReferrer-Policy: no-referrer\r\nX-Frame-Options: DENY"
                + "\r\nCross-Origin-Resource-Policy: same-origin\r\nConnection: close\r\n\r\n")
            .getBytes(US));
  }

  private static byte[] page() throws IOException {
    try (InputStream in = DumpServer.class.getResourceAsStream(PAGE)) {
      if (in == null) {
        throw new IOException("this build contains no page");
      }
      return in.readAllBytes();
    }
  }

  @Override
  public void close() throws IOException {
    socket.close();
  }
}
