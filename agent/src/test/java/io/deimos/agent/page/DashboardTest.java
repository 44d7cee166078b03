// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class DashboardTest {
  @Test
  void policy_scriptsAndStyles_allowsThoseAndNoOther() throws IOException {
    Dashboard page =
        new Dashboard("<style>a{}</style><script type=\"module\">alert(1)</script><p>x</p>");
    // printf 'alert(1)' | openssl dgst -sha256 -binary | base64
    assertThat(page.policy())
        .startsWith(
            "default-src 'none'; script-src 'sha256-bhHHL3z2vDgxUt0W3dWQOrprscmda2Y5pLsLg4GF+pI=';"
                + " style-src 'sha256-")
        .doesNotContain("unsafe");
  }

  @Test
  void policy_otherLineEnds_hashesWhatABrowserReads() throws IOException {
    assertThat(new Dashboard("<script>a\r\nb</script>").policy())
        .isEqualTo(new Dashboard("<script>a\nb</script>").policy());
  }

  @Test
  void of_noResource_saysSo() throws IOException {
    Dashboard page = Dashboard.of(null);
    assertThat(new String(page.html(), StandardCharsets.UTF_8))
        .contains("contains no page", "io/deimos/dashboard/index.html", "/api/state");
    assertThat(page.policy()).contains("script-src 'none'");
  }

  @Test
  void packed_unpacked_isThePage() throws IOException {
    Dashboard page =
        Dashboard.of(new ByteArrayInputStream("<p>é</p>".getBytes(StandardCharsets.UTF_8)));
    assertThat(new GZIPInputStream(new ByteArrayInputStream(page.packed())).readAllBytes())
        .isEqualTo("<p>é</p>".getBytes(StandardCharsets.UTF_8));
  }

  /** All that a browser loads is in it. */
  @Test
  void packed_thePageItself_keepsItsBound() throws IOException {
    assertThat(Dashboard.load().packed().length).isBetween(20_000, 350_000);
  }
}
