// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.weave;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RemoteSwitchTest {
  private final List<String> problems = new ArrayList<>();

  @TempDir private Path directory;

  private boolean test(Properties properties, Map<String, String> environment, String file)
      throws IOException {
    Files.writeString(directory.resolve("application.conf"), file);
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {directory.toUri().toURL()}, before)) {
      thread.setContextClassLoader(loader);
      return new RemoteSwitch(properties, environment, problems::add).test(loader);
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  private static Properties property(String value) {
    Properties properties = new Properties();
    properties.setProperty("deimos.remote.enabled", value);
    return properties;
  }

  @Test
  void test_nothingSaid_isOff() throws IOException {
    assertThat(test(new Properties(), Map.of(), "")).isFalse();
    assertThat(problems).isEmpty();
  }

  @Test
  void test_applicationSaysOn_isOn() throws IOException {
    assertThat(test(new Properties(), Map.of(), "deimos.remote.enabled = on")).isTrue();
  }

  @Test
  void test_variable_winsOverTheApplication() throws IOException {
    Map<String, String> off = Map.of("DEIMOS_REMOTE_ENABLED", "FALSE");
    assertThat(test(new Properties(), off, "deimos.remote.enabled = on")).isFalse();
  }

  @Test
  void test_property_winsOverTheVariable() throws IOException {
    Map<String, String> off = Map.of("DEIMOS_REMOTE_ENABLED", "off");
    assertThat(test(property("on"), off, "deimos.remote.enabled = off")).isTrue();
    assertThat(test(property("true"), off, "")).isTrue();
  }

  @Test
  void test_neitherOnNorOff_isOffAndNamed() throws IOException {
    assertThat(test(property("tcp"), Map.of(), "deimos.remote.enabled = on")).isFalse();
    assertThat(problems).containsExactly("deimos.remote.enabled=tcp is not on or off; using off");
  }

  @Test
  void test_configurationThatCannotBeRead_isOffAndNamed() throws IOException {
    assertThat(test(new Properties(), Map.of(), "deimos.remote {")).isFalse();
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith("deimos.remote.enabled could not be read from the configuration: ");
  }
}
