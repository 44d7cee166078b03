// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The page itself: one HTML resource with all its code and styles inside, and the policy under
 * which a browser runs it: only the scripts and styles that stand in the resource.
 */
final class Dashboard {
  static final String RESOURCE = "/io/deimos/dashboard/index.html";

  private static final Pattern SCRIPT = inside("script");
  private static final Pattern STYLE = inside("style");

  private static final String MISSING =
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>Deimos</title></head>
      <body><h1>Deimos</h1>
      <p>This build contains no page (the resource %s is missing).
      What it would show is at <a href="/api/state">/api/state</a>
      and <a href="/api/traces">/api/traces</a>.</p>
      </body></html>
      """
          .formatted(RESOURCE.substring(1));

  private final byte[] html;
  private final byte[] packed;
  private final String policy;

  Dashboard(String html) throws IOException {
    this.html = html.getBytes(StandardCharsets.UTF_8);
    this.packed = pack(this.html);
    this.policy = policy(html);
  }

  /** The page of this build, or one that says that it has none. */
  static Dashboard load() throws IOException {
    try (InputStream in = Dashboard.class.getResourceAsStream(RESOURCE)) {
      return of(in);
    }
  }

  static Dashboard of(@Nullable InputStream resource) throws IOException {
    return new Dashboard(
        resource == null ? MISSING : new String(resource.readAllBytes(), StandardCharsets.UTF_8));
  }

  byte[] html() {
    return html;
  }

  /** The page packed with gzip. */
  byte[] packed() {
    return packed;
  }

  String policy() {
    return policy;
  }

  private static byte[] pack(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  private static Pattern inside(String tag) {
    return Pattern.compile(
        "<" + tag + "\\b[^>]*>(.*?)</" + tag, Pattern.DOTALL | Pattern.CASE_INSENSITIVE);
  }

  private static String policy(String html) {
    return "default-src 'none'; script-src "
        + allowed(SCRIPT, html)
        + "; style-src "
        + allowed(STYLE, html)
        + "; img-src data:; connect-src 'self'; base-uri 'none'; form-action 'none';"
        + " frame-ancestors 'none'";
  }

  private static String allowed(Pattern inside, String html) {
    StringBuilder hashes = new StringBuilder();
    // A browser reads any line end as \n, and so does the hash.
    Matcher matcher = inside.matcher(html.replace("\r\n", "\n").replace('\r', '\n'));
    while (matcher.find()) {
      hashes.append(hashes.isEmpty() ? "'sha256-" : " 'sha256-");
      hashes.append(hash(matcher.group(1))).append('\'');
    }
    return hashes.isEmpty() ? "'none'" : hashes.toString();
  }

  private static String hash(String script) {
    try {
      byte[] hash =
          MessageDigest.getInstance("SHA-256").digest(script.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(hash);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
