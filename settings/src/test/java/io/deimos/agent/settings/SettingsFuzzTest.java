// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import io.deimos.agent.control.LiveSettings;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Settings may say anything: they are taken, or one sentence says why not. */
class SettingsFuzzTest {
  private static final ClassLoader NOWHERE = new ClassLoader(null) {};

  /** HOCON, as of the control file and of the application. */
  @FuzzTest
  void read_anyHocon_isTakenOrToldOf(byte[] bytes) {
    Config config;
    try {
      config = ConfigFactory.parseString(text(bytes)).resolve();
    } catch (ConfigException e) {
      return;
    } catch (StackOverflowError e) {
      return; // the library's own, for thousands of brackets; whoever reads a file says so
    }
    List<String> problems = new ArrayList<>();
    Settings settings =
        new SettingsReader(List.of(Layer.ofConfig(config, "a file")), problems::add).read();
    for (Key<?> key : Keys.all()) {
      assertThat((Object) settings.get(key)).isNotNull();
    }
    LiveSettings live =
        LiveSettings.read(Map.of(), Map.of(), Layer.empty(), NOWHERE, problems::add, problems::add);
    live.file(Layer.ofConfig(config, "a file"), "a file");
    assertThat(problems).allSatisfy(problem -> assertThat(problem).isNotBlank());
  }

  /** One value for each setting in turn, as a property, a variable, or what the page was told. */
  @FuzzTest
  void set_anyValue_isTakenOrToldOf(byte[] bytes) {
    String value = text(bytes);
    List<String> problems = new ArrayList<>();
    LiveSettings live =
        LiveSettings.read(Map.of(), Map.of(), Layer.empty(), NOWHERE, problems::add, problems::add);
    for (Key<?> key : Keys.all()) {
      Settings before = live.current();
      String refused = live.set(key.name(), value.isEmpty() ? null : value);
      if (refused != null) {
        assertThat(refused).contains(key.name());
        assertThat(live.current()).isEqualTo(before);
      }
      new SettingsReader(List.of(Layer.ofProperties(Map.of(key.name(), value))), problems::add)
          .read();
    }
  }

  /** YAML, as of the file that otel.config.file names. */
  @FuzzTest
  void read_anyYaml_isTakenOrRefused(byte[] bytes) {
    ConfigObject root;
    try {
      root = new YamlReader("otel.yaml", name -> "x", name -> null).read(text(bytes));
    } catch (IllegalArgumentException e) {
      assertThat(e.getMessage()).isNotBlank();
      return;
    }
    List<String> problems = new ArrayList<>();
    Layer layer = Layer.ofConfig(root.atKey("deimos"), "otel.yaml");
    assertThat(new SettingsReader(List.of(layer), problems::add).read()).isNotNull();
    assertThat(problems).allSatisfy(problem -> assertThat(problem).isNotBlank());
  }

  private static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
