// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.math.BigInteger;
import java.net.HttpURLConnection;
import java.net.Proxy;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** Asks the page of a running application. */
final class PageClient {
  private static final String TOKEN = "#token=";
  private static final int CONNECT_MILLIS = 5_000;
  private static final int READ_MILLIS = 30_000;
  private static final int NUMBER_BITS = 256;
  private static final int MAX_BYTES = 64 << 20;

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
    String token = at < 0 ? "" : GivenToken.decoded(address.substring(at + TOKEN.length()));
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
      OwnFile.write(in, file);
      return null;
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
    HttpURLConnection connection = (HttpURLConnection) address.openConnection(Proxy.NO_PROXY);
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
    String number = String.format("%064x", new BigInteger(NUMBER_BITS, new SecureRandom()));
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
        throw new Unproven(
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
      byte[] said = ("deimos|page|" + host + "|" + number).getBytes(StandardCharsets.UTF_8);
      return String.format("%064x", new BigInteger(1, mac.doFinal(said)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has HmacSHA256", e);
    }
  }

  private static String text(InputStream in) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    byte[] buffer = new byte[8192];
    for (int n = in.read(buffer); n >= 0 && bytes.size() < MAX_BYTES; n = in.read(buffer)) {
      bytes.write(buffer, 0, n);
    }
    return new String(bytes.toByteArray(), StandardCharsets.UTF_8);
  }

  /** Somebody answers who does not know the token. */
  static final class Unproven extends IOException {
    private static final long serialVersionUID = 1;

    Unproven(String why) {
      super(why);
    }
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
