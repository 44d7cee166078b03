// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.Map;
import java.util.stream.Collectors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Asks the page of a running application. */
final class PageClient {
  static final int OK = 200;
  static final int MAX_BYTES = 64 << 20;

  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 30_000;
  private static final int NUMBER_BYTES = 32;

  private final String url;
  private final String token;

  /**
   * The page at an address.
   *
   * @param address as the application prints it; what follows a {@code #} is not used
   * @param token empty for none
   */
  PageClient(String address, String token) {
    this.url = address.replaceAll("#.*", "").replaceAll("/+$", "");
    this.token = token;
  }

  static String target(String path, Map<String, String> query) {
    String pairs =
        query.entrySet().stream()
            .map(pair -> pair.getKey() + "=" + encoded(pair.getValue()))
            .collect(Collectors.joining("&"));
    return pairs.isEmpty() ? path : path + (path.contains("?") ? "&" : "?") + pairs;
  }

  static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
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
      byte[] body = in == null ? new byte[0] : in.readNBytes(MAX_BYTES);
      return new Reply(status, new String(body, StandardCharsets.UTF_8));
    }
  }

  /**
   * Saves an answer as a file.
   *
   * @throws Failure if the page refuses, or if there is no such file then
   */
  void save(String path, Path file) throws IOException {
    HttpURLConnection connection = open(path);
    if (connection.getResponseCode() != OK) {
      throw Failure.of(reply(connection).reason());
    }
    try (InputStream in = connection.getInputStream()) {
      OwnFile.write(in, file);
    } catch (IOException e) {
      throw Failure.of(file + " was not saved from " + url + " (" + e + ")");
    }
  }

  private HttpURLConnection open(String path) throws IOException {
    if (token.isEmpty()) {
      return connect(new URL(url + path));
    }
    prove();
    HttpURLConnection connection = connect(new URL(url + path));
    connection.setRequestProperty("X-Deimos-Token", token);
    return connection;
  }

  private static HttpURLConnection connect(URL address) throws IOException {
    if (!(address.openConnection(Proxy.NO_PROXY) instanceof HttpURLConnection connection)) {
      throw new IOException("neither http nor https");
    }
    connection.setConnectTimeout(CONNECT_MILLIS);
    connection.setReadTimeout(READ_MILLIS);
    connection.setInstanceFollowRedirects(false);
    return connection;
  }

  /**
   * The token goes to nobody who has not proved that he knows it: who has the port may be somebody
   * else than who had it when the token was printed.
   */
  private void prove() throws IOException {
    // of who has the port, also if another process on its page is asked
    HttpURLConnection connection = connect(new URL(new URL(url), "/api/v1/about"));
    byte[] random = new byte[NUMBER_BYTES];
    new SecureRandom().nextBytes(random);
    String number = HexFormat.of().formatHex(random);
    connection.setRequestProperty("Deimos-Number", number);
    try {
      URL dialled = connection.getURL();
      int port = dialled.getPort();
      boolean usual = port < 0 || port == dialled.getDefaultPort();
      String host = dialled.getHost() + (usual ? "" : ":" + port);
      String proof = connection.getHeaderField("Deimos-Proof");
      connection.getResponseCode(); // throws if nobody answers
      if (proof == null
          || !MessageDigest.isEqual(
              proof.getBytes(StandardCharsets.US_ASCII),
              proof(host, number).getBytes(StandardCharsets.US_ASCII))) {
        throw Failure.of(
            url
                + ": who answers there does not prove that it knows this token, so the token was not sent."
                + " Another process may have the port by now: take the address from its line"
                + " \"deimos: page at\"");
      }
    } finally {
      connection.disconnect(); // what comes next is sent to who has the port then
    }
  }

  private String proof(String host, String number) {
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(token.getBytes(StandardCharsets.US_ASCII), "HmacSHA256"));
      String said = "deimos|page|" + host + "|" + number;
      return HexFormat.of().formatHex(mac.doFinal(said.getBytes(StandardCharsets.UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  /** The reply. */
  record Reply(int status, String body) {
    /** Why the page refused. */
    String reason() {
      try {
        if (Json.readObject(body).fields().get("error") instanceof String said) {
          return said;
        }
      } catch (IllegalArgumentException e) {
        // Told by its status.
      }
      return "the page answered with status " + status;
    }
  }
}
