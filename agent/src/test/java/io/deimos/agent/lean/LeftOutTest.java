// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.lean;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.control.LiveSettings;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftOutTest {
  private static final String NO_AGENT =
      " has no effect: it is for the OpenTelemetry agent, and deimos-lean.jar comes without that."
          + " Use deimos.jar, or remove the setting";
  private static final String NO_MODULES =
      " has no effect: deimos-lean.jar records actors, and no other libraries. Use deimos.jar, or"
          + " remove the setting";

  private final Map<String, String> properties = new HashMap<>();
  private final Map<String, String> environment = new HashMap<>();

  @TempDir private Path directory;

  @Test
  void of_nothingGiven_isNothing() throws IOException {
    assertThat(leftOut()).isEmpty();
  }

  @Test
  void of_extensions_isNamedAsProperty() throws IOException {
    properties.put("otel.javaagent.extensions", "mine.jar");
    assertThat(leftOut()).containsExactly("otel.javaagent.extensions=mine.jar" + NO_AGENT);
  }

  @Test
  void of_extensions_isNamedAsVariable() throws IOException {
    environment.put("OTEL_JAVAAGENT_EXTENSIONS", "mine.jar");
    assertThat(leftOut()).containsExactly("OTEL_JAVAAGENT_EXTENSIONS=mine.jar" + NO_AGENT);
  }

  @Test
  void of_fileOfTheAgentsSettings_isNamed() throws IOException {
    environment.put("OTEL_JAVAAGENT_CONFIGURATION_FILE", "agent.properties");
    assertThat(leftOut())
        .containsExactly("OTEL_JAVAAGENT_CONFIGURATION_FILE=agent.properties" + NO_AGENT);
  }

  @Test
  void of_instrumentations_areNamedOneByOne() throws IOException {
    properties.put("otel.instrumentation.jdbc.enabled", "true");
    environment.put("OTEL_INSTRUMENTATION_KAFKA_ENABLED", "true");
    assertThat(leftOut())
        .containsExactly(
            "OTEL_INSTRUMENTATION_KAFKA_ENABLED=true" + NO_MODULES,
            "otel.instrumentation.jdbc.enabled=true" + NO_MODULES);
  }

  @Test
  void of_propertyAndVariableOfOneName_isNamedOnce() throws IOException {
    properties.put("otel.instrumentation.spring-web.enabled", "true");
    environment.put("OTEL_INSTRUMENTATION_SPRING_WEB_ENABLED", "true");
    assertThat(leftOut())
        .containsExactly("otel.instrumentation.spring-web.enabled=true" + NO_MODULES);
  }

  @Test
  void of_whatOnlySwitchesOff_isNothing() throws IOException {
    properties.put("otel.instrumentation.jdbc.enabled", "false");
    properties.put("otel.instrumentation.common.default-enabled", "false");
    properties.put("deimos.instrumentations", "actors");
    assertThat(leftOut()).isEmpty();
  }

  @Test
  void of_whatIsThere_isNothing() throws IOException {
    properties.put("otel.javaagent.debug", "true");
    environment.put("OTEL_JAVAAGENT_LOGGING", "none");
    properties.put("otel.instrumentation.opentelemetry-api.enabled", "true");
    environment.put("OTEL_INSTRUMENTATION_OPENTELEMETRY_API_ENABLED", "true");
    assertThat(leftOut()).isEmpty();
  }

  @Test
  void of_manyInstrumentations_areNamedInPart() throws IOException {
    for (int i = 10; i < 30; i++) {
      properties.put("otel.instrumentation.i" + i + ".enabled", "true");
    }
    List<String> leftOut = leftOut();
    assertThat(leftOut).hasSize(11);
    assertThat(leftOut.get(10))
        .isEqualTo(
            "10 more settings like otel.instrumentation.i20.enabled have no effect, for the same"
                + " reason. Use deimos.jar, or remove the setting");
  }

  @Test
  void of_allInstrumentations_isNamedAsPropertyAndVariable() throws IOException {
    environment.put("DEIMOS_INSTRUMENTATIONS", "all");
    assertThat(leftOut()).containsExactly("DEIMOS_INSTRUMENTATIONS=all" + NO_MODULES);
    properties.put("deimos.instrumentations", "all");
    assertThat(leftOut()).containsExactly("deimos.instrumentations=all" + NO_MODULES);
  }

  @Test
  void of_allInstrumentationsInHocon_isNamedWithItsLine() throws IOException {
    Files.writeString(
        directory.resolve("application.conf"), "deimos {\n  instrumentations = all\n}\n");
    assertThat(leftOut())
        .containsExactly("deimos.instrumentations=all (application.conf: 2)" + NO_MODULES);
  }

  @Test
  void of_configurationFile_isNamedWithItsLines() throws IOException {
    Path file = directory.resolve("otel.yaml");
    Files.writeString(
        file,
        """
        file_format: "1.0"
        distribution:
          deimos:
            instrumentations: all
          javaagent:
            instrumentation:
              enabled: [jdbc]
        instrumentation/development:
          java:
            jdbc:
              datasource: {enabled: true}
        """);
    properties.put("otel.config.file", file.toString());
    assertThat(leftOut())
        .containsExactly(
            "deimos.instrumentations=all (otel.yaml: 4)" + NO_MODULES,
            "distribution.javaagent.instrumentation (otel.yaml: 6)" + NO_MODULES,
            "instrumentation/development.java (otel.yaml: 9)" + NO_MODULES);
  }

  @Test
  void of_configurationFileThatOnlySwitchesOff_isNothing() throws IOException {
    Path file = directory.resolve("otel.yaml");
    Files.writeString(
        file,
        """
        file_format: "1.0"
        distribution:
          javaagent:
            instrumentation:
              default_enabled: false
              disabled: [jdbc]
        instrumentation/development:
          java:
            jdbc: {enabled: false}
            kafka: {enabled: false, experimental: {spans: null}}
        """);
    properties.put("otel.config.file", file.toString());
    assertThat(leftOut()).isEmpty();
  }

  @Test
  void of_ourSectionOutOfPlace_isToldByWhoReadsIt() throws IOException {
    Path file = directory.resolve("otel.yaml");
    Files.writeString(
        file,
        """
        file_format: "1.0"
        instrumentation/development:
          java:
            deimos: {page: {port: 0}}
        """);
    properties.put("otel.config.file", file.toString());
    List<String> problems = new ArrayList<>();
    ConfigurationFile read = ConfigurationFile.of(properties, environment, problems::add);
    assertThat(problems).hasSize(1);
    assertThat(LeftOut.of(properties, environment, read, Settings.defaults(), null)).isEmpty();
  }

  private List<String> leftOut() throws IOException {
    List<String> problems = new ArrayList<>();
    ConfigurationFile file = ConfigurationFile.of(properties, environment, problems::add);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, null)) {
      LiveSettings live =
          LiveSettings.read(
              properties, environment, file.layer(), loader, problems::add, audit -> {});
      assertThat(problems).isEmpty();
      return LeftOut.of(
          properties, environment, file, live.current(), live.given(Keys.INSTRUMENTATIONS));
    }
  }
}
