// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ApplicationTextTest {
  @TempDir private Path folder;

  private boolean mayNameUs(String name, String text, String... properties) throws IOException {
    Files.writeString(folder.resolve(name), text);
    Properties given = new Properties();
    for (int i = 0; i < properties.length; i += 2) {
      given.setProperty(properties[i], properties[i + 1]);
    }
    URL[] urls = {folder.toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      return ApplicationText.mayNameUs(loader, given);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deimos.page.port = 1",
        "\"deimos\" { page.port = 1 }",
        "include \"other\"",
        "\"\\u0064eimos\".page.port = 1"
      })
  void mayNameUs_whatLeadsToOurSettings_isTrue(String text) throws IOException {
    assertThat(mayNameUs("application.conf", text)).isTrue();
    assertThat(mayNameUs("application.json", text)).isTrue();
  }

  @Test
  void mayNameUs_anApplicationThatDoesNotKnowUs_isFalse() throws IOException {
    assertThat(mayNameUs("application.conf", "pekko.loglevel = INFO")).isFalse();
    assertThat(mayNameUs("other.conf", "deimos.page.port = 1")).isFalse();
  }

  @Test
  void mayNameUs_anotherFileIsNamed_readsThatAlone() throws IOException {
    String file = folder.resolve("other.conf").toString();
    assertThat(mayNameUs("other.conf", "deimos.page.port = 1", "config.file", file)).isTrue();
    assertThat(mayNameUs("other.conf", "a = 1", "config.file", file)).isFalse();
    assertThat(mayNameUs("more.conf", "deimos.a = 1", "config.resource", "/more.conf")).isTrue();
    assertThat(mayNameUs("more.conf", "a = 1", "config.resource", "more.conf")).isFalse();
  }

  @Test
  void mayNameUs_whatCannotBeRead_isLeftToTheParser() throws IOException {
    String missing = folder.resolve("missing.conf").toString();
    assertThat(mayNameUs("a.conf", "", "config.file", missing)).isTrue();
    assertThat(mayNameUs("a.conf", "", "config.resource", "missing.conf")).isTrue();
    assertThat(mayNameUs("a.conf", "", "config.url", "file:/missing")).isTrue();
    assertThat(mayNameUs("a.conf", "", "config.strategy", "some.Strategy")).isTrue();
    assertThat(mayNameUs("application.conf", "a".repeat(2_000_000))).isTrue();
  }
}
