// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Asks the page of a running application. */
final class PageClient {
  private static final String TOKEN = "#token=";
  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 30_000;
  private static final int MOST_BYTES = 64 << 20;

  private final String url;
  private final String token;

  private PageClient(String url, String token) {
    this.url = url;
    this.token = token;
  }

  /**
   * The page at an address.
   *
   * @param address as the application prints it, with or without a token
   */
  static PageClient of(String address) {
    int at = address.indexOf(TOKEN);
    String token = at < 0 ? "" : address.substring(at + TOKEN.length());
    String url = address.replaceAll("#.*", "").replaceAll("/+$", "");
    return new PageClient(url, token);
  }

  Reply get(String path) throws IOException {
    return reply(open(path));
  }

  /** Changes something; what, is in the path. */
  Reply post(String path) throws IOException {
    HttpURLConnection connection = open(path);
    connection.setRequestMethod("POST");
    connection.setDoOutput(true);
    connection.setFixedLengthStreamingMode(0); // or it may be sent twice
    connection.getOutputStream().close();
    return reply(connection);
  }

  private static Reply reply(HttpURLConnection connection) throws IOException {
    int status = connection.getResponseCode();
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      return new Reply(status, in == null ? "" : text(in));
    }
  }

  /**
   * Saves an answer as a file.
   *
   * @return null, or why the page refused
   */
  @Nullable String save(String path, Path file) throws IOException {
    HttpURLConnection connection = open(path);
    int status = connection.getResponseCode();
    try (InputStream in =
        status < 400 ? connection.getInputStream() : connection.getErrorStream()) {
      if (status != 200) {
        return Commands.reason(new Reply(status, in == null ? "" : text(in)));
      }
      Files.copy(in, file);
      return null;
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    HttpURLConnection connection =
        (HttpURLConnection) new URL(url + path).openConnection(Proxy.NO_PROXY);
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    connection.setInstanceFollowRedirects(false);
    if (!token.isEmpty()) {
      connection.setRequestProperty("X-Deimos-Token", token);
    }
    return connection;
  }

  private static String text(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (int n = in.read(buffer); n >= 0 && bytes.size() < MOST_BYTES; n = in.read(buffer)) {
      bytes.write(buffer, 0, n);
    }
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }

  /** What came back. */
  static final class Reply {
    final int status;
    final String body;

    Reply(int status, String body) {
      this.status = status;
      this.body = body;
    }
  }
}
