// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.http.Reply;
import io.deimos.agent.json.JsonReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A client that sends exactly what it is told, the Host header included. */
public final class Http {
  private final int port;

  public Http(int port) {
    this.port = port;
  }

  int port() {
    return port;
  }

  /** Unpacked answers to clients that may ask are as the document says. */
  public Reply get(String path, String... headers) throws IOException {
    Reply reply = send("GET", path, "127.0.0.1:" + port, headers);
    if (reply.status() == 200
        && reply.headers().getOrDefault("Content-Type", "").equals("application/json")
        && !reply.headers().containsKey("Content-Encoding")) {
      Documented.check(path, reply.text());
    }
    return reply;
  }

  public Reply send(String method, String path, @Nullable String host, String... headers)
      throws IOException {
    StringBuilder request = new StringBuilder(method + " " + path + " HTTP/1.1\r\n");
    if (host != null) {
      request.append("Host: ").append(host).append("\r\n");
    }
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    return raw(request.append("Connection: close\r\n\r\n").toString());
  }

  /** Sends a body of JSON. */
  public Reply post(String path, String json, String... headers) throws IOException {
    StringBuilder request =
        new StringBuilder("POST " + path + " HTTP/1.1\r\nHost: 127.0.0.1:" + port + "\r\n");
    for (String header : headers) {
      request.append(header).append("\r\n");
    }
    request.append("Content-Type: application/json\r\nContent-Length: ").append(json.length());
    return raw(request.append("\r\n\r\n").append(json).toString());
  }

  /** Sends these characters and nothing else. */
  Reply raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      socket.setSoTimeout(10_000);
      socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
      return reply(socket.getInputStream().readAllBytes());
    }
  }

  private static Reply reply(byte[] bytes) throws IOException {
    String head = new String(bytes, StandardCharsets.ISO_8859_1);
    int end = head.indexOf("\r\n\r\n");
    String[] lines = head.substring(0, end).split("\r\n", -1);
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    for (int i = 1; i < lines.length; i++) {
      int colon = lines[i].indexOf(':');
      headers.put(lines[i].substring(0, colon), lines[i].substring(colon + 1).strip());
    }
    byte[] body = java.util.Arrays.copyOfRange(bytes, end + 4, bytes.length);
    if ("chunked".equals(headers.getOrDefault("Transfer-Encoding", "").toLowerCase(Locale.ROOT))
        && body.length > 0) {
      body = joined(body);
    }
    int status = Integer.parseInt(lines[0].split(" ", -1)[1]);
    return new Reply(status, headers, body);
  }

  private static byte[] joined(byte[] chunks) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(chunks);
    ByteArrayOutputStream body = new ByteArrayOutputStream();
    while (true) {
      StringBuilder size = new StringBuilder();
      for (int c = in.read(); c != '\n'; c = in.read()) {
        size.append((char) c);
      }
      int length = Integer.parseInt(size.toString().strip(), 16);
      if (length == 0) {
        return body.toByteArray();
      }
      body.write(in.readNBytes(length));
      in.skip(2);
    }
  }

  /** The reply. */
  public static final class Reply {
    private final int status;
    private final Map<String, String> headers;
    private final byte[] body;

    Reply(int status, Map<String, String> headers, byte[] body) {
      this.status = status;
      this.headers = headers;
      this.body = body;
    }

    public int status() {
      return status;
    }

    public Map<String, String> headers() {
      return headers;
    }

    public byte[] body() {
      return body;
    }

    public String text() {
      return new String(body, StandardCharsets.UTF_8);
    }

    public String unpacked() throws IOException {
      return new String(
          new GZIPInputStream(new ByteArrayInputStream(body)).readAllBytes(),
          StandardCharsets.UTF_8);
    }

    public Map<String, Object> json() {
      return JsonReader.object(JsonReader.read(text()));
    }
  }
}
