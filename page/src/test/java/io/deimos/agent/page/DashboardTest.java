// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class DashboardTest {
  private static Dashboard of(String html) {
    return new Dashboard(() -> new ByteArrayInputStream(html.getBytes(StandardCharsets.UTF_8)));
  }

  /** A browser runs what the header allows, and the header is made when the page is built. */
  @Test
  void policy_ofThePageItself_allowsItsScriptsAndStylesAndNoOther()
      throws IOException, NoSuchAlgorithmException {
    String html = new String(Dashboard.OF_JAR.html(), StandardCharsets.UTF_8);
    assertThat(Dashboard.OF_JAR.policy())
        .isEqualTo(
            "default-src 'none'; script-src "
                + hash("script", html)
                + "; style-src "
                + hash("style", html)
                + "; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none';"
                + " frame-ancestors 'none'");
  }

  private static String hash(String tag, String html) throws NoSuchAlgorithmException {
    Matcher inside =
        Pattern.compile("<" + tag + ">(.*?)</" + tag + ">", Pattern.DOTALL).matcher(html);
    assertThat(inside.find()).isTrue();
    byte[] hash =
        MessageDigest.getInstance("SHA-256")
            .digest(inside.group(1).getBytes(StandardCharsets.UTF_8));
    assertThat(inside.find()).as("another " + tag).isFalse();
    return "'sha256-" + Base64.getEncoder().encodeToString(hash) + "'";
  }

  @Test
  void none_saysSo() throws IOException {
    assertThat(new String(Dashboard.NONE.html(), StandardCharsets.UTF_8))
        .contains("contains no page", "io/deimos/dashboard/index.html", "/api/state");
    assertThat(Dashboard.NONE.policy()).contains("script-src 'none'", "frame-ancestors 'none'");
  }

  @Test
  void policy_aPageThatSaysNone_allowsNothing() throws IOException {
    assertThat(of("<script>alert(1)</script>").policy())
        .contains("default-src 'none'", "script-src 'none'");
  }

  @Test
  void packed_unpacked_isThePage() throws IOException {
    assertThat(
            new GZIPInputStream(new ByteArrayInputStream(of("<p>é</p>").packed())).readAllBytes())
        .isEqualTo("<p>é</p>".getBytes(StandardCharsets.UTF_8));
  }

  /** It is not read when the application starts, and not again for each request. */
  @Test
  void source_isOpenedOnce_whenSomebodyAsks() throws IOException {
    AtomicInteger opened = new AtomicInteger();
    Dashboard page =
        new Dashboard(
            () -> {
              if (opened.incrementAndGet() == 1) {
                throw new IOException("no more descriptors");
              }
              return new ByteArrayInputStream(new byte[9]);
            });
    assertThat(opened).hasValue(0);
    assertThatThrownBy(page::packed).hasMessage("no more descriptors");
    assertThat(page.packed()).isNotEmpty();
    assertThat(page.html()).hasSize(9);
    assertThat(opened).hasValue(2);
  }

  /** All that a browser loads is in it. */
  @Test
  void packed_thePageItself_keepsItsBound() throws IOException {
    assertThat(Dashboard.OF_JAR.packed().length).isBetween(20_000, 350_000);
  }
}
