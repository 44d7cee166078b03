// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.launch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class OptionsTest {
  @Test
  void parse_settings_becomeProperties() {
    assertThat(Options.parse("page.port=9800,deimos.tracing.asks=off;otel.traces.exporter=none"))
        .containsEntry("deimos.page.port", "9800")
        .containsEntry("deimos.tracing.asks", "off")
        .containsEntry("otel.traces.exporter", "none")
        .hasSize(3);
  }

  @Test
  void parse_listOfSeveral_staysTogether() {
    assertThat(Options.parse("messages.never=a.B,c.D,page.port=1"))
        .containsEntry("deimos.messages.never", "a.B,c.D")
        .containsEntry("deimos.page.port", "1");
  }

  @Test
  void parse_nothing_isNothing() {
    assertThat(Options.parse(null)).isEmpty();
    assertThat(Options.parse("")).isEmpty();
    assertThat(Options.parse("debug")).isEmpty();
  }
}
