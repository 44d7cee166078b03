// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * The page itself: one HTML resource with all its code and styles inside, and the policy under
 * which a browser runs it: only the scripts and styles that stand in the resource, which says which
 * these are. It is read when somebody asks for it.
 *
 * <p><b>Threads.</b> Safe for any.
 */
final class Dashboard {
  static final String RESOURCE = "/io/deimos/dashboard/index.html";

  private static final String POLICY = "http-equiv=\"Content-Security-Policy\" content=\"";
  private static final String STRICTEST =
      "default-src 'none'; script-src 'none'; style-src 'none'; base-uri 'none'; form-action"
          + " 'none'";
  private static final String FOR_HEADERS = "; frame-ancestors 'none'";

  private static final String MISSING =
      """
      <!doctype html>
      <html lang="en"><head><meta charset="utf-8"><title>Deimos</title></head>
      <body><h1>Deimos</h1>
      <p>This build contains no page (the resource %s is missing).
      Its figures are at <a href="/api/state">/api/state</a>
      and <a href="/api/traces">/api/traces</a>.</p>
      </body></html>
      """;

  /** The page of this build, or one that says that it has none. */
  static final Dashboard OF_JAR =
      new Dashboard(() -> Dashboard.class.getResourceAsStream(RESOURCE));

  /** Says that there is none. */
  static final Dashboard NONE = new Dashboard(() -> null);

  /** Where the page comes from. */
  interface Source {
    /** Null if there is none. */
    @Nullable InputStream open() throws IOException;
  }

  private static final class Ready {
    final byte[] html;
    final byte[] packed;
    final String policy;

    Ready(byte[] html) throws IOException {
      this.html = html;
      packed = pack(html);
      policy = policy(new String(html, StandardCharsets.UTF_8));
    }
  }

  private final Source source;
  private @Nullable Ready ready;

  Dashboard(Source source) {
    this.source = source;
  }

  byte[] html() throws IOException {
    return ready().html;
  }

  /** The page packed with gzip. */
  byte[] packed() throws IOException {
    return ready().packed;
  }

  String policy() throws IOException {
    return ready().policy;
  }

  /** Reads it, if nobody has. */
  void prepare() throws IOException {
    Ready unused = ready();
  }

  private synchronized Ready ready() throws IOException {
    Ready known = ready;
    if (known == null) {
      try (InputStream in = source.open()) {
        byte[] html =
            in == null
                ? MISSING.formatted(RESOURCE.substring(1)).getBytes(StandardCharsets.UTF_8)
                : in.readAllBytes();
        known = new Ready(html);
      }
      ready = known;
    }
    return known;
  }

  private static byte[] pack(byte[] bytes) throws IOException {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (OutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(bytes);
    }
    return packed.toByteArray();
  }

  /** The build has written it into the page, where it cannot say who may frame it. */
  private static String policy(String html) {
    int start = html.indexOf(POLICY) + POLICY.length();
    int end = start < POLICY.length() ? -1 : html.indexOf('"', start);
    return (end < 0 ? STRICTEST : html.substring(start, end)) + FOR_HEADERS;
  }
}
