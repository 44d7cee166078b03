// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConfigurationFileTest {
  @TempDir private Path directory;
  private final List<String> problems = new ArrayList<>();

  private ConfigurationFile file(String yaml, Map<String, String> environment) throws IOException {
    Path file = directory.resolve("otel.yaml");
    Files.writeString(file, yaml);
    return ConfigurationFile.of(
        Map.of("otel.config.file", file.toString(), "shop.port", "7"), environment, problems::add);
  }

  private Settings read(String yaml, Map<String, String> environment) throws IOException {
    return new SettingsReader(List.of(file(yaml, environment).layer()), problems::add).read();
  }

  private Settings read(String yaml) throws IOException {
    return read(yaml, Map.of());
  }

  private String refusal(String yaml) throws IOException {
    ConfigurationFile file = file(yaml, Map.of());
    assertThat(file.layer().all()).isEmpty();
    return Objects.requireNonNull(file.refusal());
  }

  @Test
  void none_named_saysNothing() {
    ConfigurationFile file = ConfigurationFile.of(Map.of(), Map.of(), problems::add);
    assertThat(file.isNamed()).isFalse();
    assertThat(file.refusal()).isNull();
    assertThat(file.layer().all()).isEmpty();
  }

  @Test
  void property_namingNone_goesBeforeTheVariable() {
    ConfigurationFile file =
        ConfigurationFile.of(
            Map.of("otel.config.file", ""), Map.of("OTEL_CONFIG_FILE", "/nowhere"), problems::add);
    assertThat(file.isNamed()).isFalse();
  }

  /** JSON is YAML, so the reference shows that every setting there is can stand in the section. */
  @Test
  void section_withEverySetting_isTakenWhole() throws IOException {
    String uncommented = SettingsDocs.reference().replaceAll("(?m)^# (deimos\\.[\\w.-]+ = )", "$1");
    Config all = ConfigFactory.parseString(uncommented).resolve();
    String json = all.atKey("distribution").root().render(ConfigRenderOptions.concise());
    ConfigurationFile file = file(json, Map.of());
    assertThat(file.layer().all()).hasSize(Keys.all().size());
    assertThat(new SettingsReader(List.of(file.layer()), problems::add).read())
        .isEqualTo(Settings.defaults());
    assertThat(problems).isEmpty();
  }

  @Test
  void section_inSnakeCaseAsOpenTelemetryHasIt_isTaken() throws IOException {
    Settings settings =
        read(
            """
            distribution:
              deimos:
                page:
                  traces_per_second: 7
                  mcp.enabled: no
                stuck: {threshold: 500ms}
                messages:
                  never: [a.B, "c.D*"]
                  always: e.F,g.H
                actors:
                  /user/noisy/*: {tracing: off, start_traces: only-inside-existing}
            """);
    assertThat(problems).isEmpty();
    assertThat(settings.get(Keys.TRACES_PER_SECOND)).isEqualTo(7);
    assertThat(settings.get(Keys.PAGE_MCP)).isFalse();
    assertThat(settings.get(Keys.MESSAGES_NEVER)).containsExactly("a.B", "c.D*");
    assertThat(settings.get(Keys.MESSAGES_ALWAYS)).containsExactly("e.F", "g.H");
    assertThat(settings.get(Keys.ACTORS).root()).containsOnlyKeys("/user/noisy/*");
  }

  @Test
  void references_inValues_areResolvedAsTheSdkDoes() throws IOException {
    Settings settings =
        read(
            """
            distribution:
              deimos:
                page:
                  port: ${sys:shop.port}
                  spans_kept: ${KEPT:-300}
                  traces_per_second: ${env:RATE}0
                  token_file: "a$${KEPT}$$b"
                report.file: ${MISSING}
            """,
            Map.of("RATE", "9"));
    assertThat(problems).isEmpty();
    assertThat(settings.get(Keys.PAGE_PORT)).isEqualTo(7);
    assertThat(settings.get(Keys.SPANS_KEPT)).isEqualTo(300);
    assertThat(settings.get(Keys.TRACES_PER_SECOND)).isEqualTo(90);
    assertThat(settings.get(Keys.PAGE_TOKEN_FILE)).isEqualTo("a${KEPT}$b");
    assertThat(settings.isGiven(Keys.REPORT_FILE)).isFalse();
  }

  @Test
  void wrongSettings_areNamedOnceEachWithTheirLines() throws IOException {
    Settings settings =
        read(
            """
            file_format: "1.0"
            distribution:
              deimos:
                page:
                  port: http
                  prot: 1
                stuck: {threshold: 10}
                tracing:
                  ring_capacity: 1000
                  tail: yes
            """);
    assertThat(settings).isEqualTo(Settings.defaults());
    assertThat(problems)
        .containsExactlyInAnyOrder(
            "deimos.page.port=http (otel.yaml: 5) is not a whole number in [0, 65535]; using 9797",
            "deimos.page.prot (otel.yaml: 6): there is no such setting; did you mean"
                + " deimos.page.port?",
            "deimos.stuck.threshold=10 (otel.yaml: 7): a duration needs a unit; write 10s or 10ms;"
                + " using 10s",
            "deimos.tracing.ring_capacity=1000 (otel.yaml: 9) is not a power of two in [64,"
                + " 1048576]; using 8192",
            "deimos.tracing.tail (otel.yaml: 10): there is no such setting; did you mean"
                + " deimos.tracing.asks?");
  }

  @Test
  void section_thatIsNoMapping_isNamed() throws IOException {
    assertThat(read("distribution:\n  deimos: off\n")).isEqualTo(Settings.defaults());
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .startsWith("distribution: deimos: (otel.yaml: 2) is no mapping")
        .contains("page: {port: 0}");
  }

  @Test
  void section_thatIsEmpty_saysNothing() throws IOException {
    assertThat(read("distribution:\n  deimos:\n")).isEqualTo(Settings.defaults());
    assertThat(problems).isEmpty();
  }

  @Test
  void section_elsewhere_isNamedWithItsLineAndTheRightPlace() throws IOException {
    read(
        """
        deimos: {page: {port: 1}}
        instrumentation/development:
          java:
            deimos: {page: {port: 1}}
        """);
    assertThat(problems)
        .containsExactly(
            "the section deimos (otel.yaml: 1) is not where settings of Deimos are read; move it"
                + " below distribution:",
            "the section deimos (otel.yaml: 4) is not where settings of Deimos are read; move it"
                + " below distribution:");
  }

  @Test
  void transport_isKeptForWhoReadsProperties() throws IOException {
    ConfigurationFile file =
        file("distribution: {deimos: {remote: {enabled: on, direct_lane.inbound: off}}}", Map.of());
    assertThat(file.transport())
        .containsOnly(
            Map.entry("deimos.remote.enabled", "on"),
            Map.entry("deimos.remote.direct-lane.inbound", "off"));
    assertThat(file.layer().all()).isEmpty();
  }

  @Test
  void brokenYaml_isRefusedWithItsLine() throws IOException {
    assertThat(refusal("a: 1\nb: [1,\nc: 2\n")).startsWith("line 4: ");
    assertThat(refusal("a: 1\n\tb: 2\n")).startsWith("line 2: ");
    assertThat(refusal("")).isEqualTo("it is empty");
    assertThat(refusal("- a\n- b\n")).isEqualTo("it is no mapping of keys to values");
  }

  @Test
  void yaml_beyondTheBounds_isRefused() throws IOException {
    StringBuilder bomb = new StringBuilder("a0: &a0 [x, x]\n");
    for (int i = 1; i < 25; i++) { // the parser itself refuses more aliases
      bomb.append("a" + i + ": &a" + i + " [*a" + (i - 1) + ", *a" + (i - 1) + "]\n");
    }
    assertThat(refusal(bomb.toString())).contains("too many values");
    assertThat(refusal("a: " + "[".repeat(200) + "]".repeat(200))).contains("nested too deeply");
    assertThat(refusal("a: " + "[".repeat(100_000))).isNotBlank();
    assertThat(refusal("a: &a [*a]")).contains("nested too deeply");
    assertThat(refusal("#".repeat(ConfigurationFile.MAX_BYTES + 1)))
        .isEqualTo("it is longer than 1048576 bytes");
  }

  @Test
  void file_thatIsNone_isRefused() {
    for (String path : List.of(directory.resolve("absent.yaml").toString(), "a\0b")) {
      ConfigurationFile file =
          ConfigurationFile.of(Map.of(), Map.of("OTEL_CONFIG_FILE", path), problems::add);
      assertThat(file.isNamed()).isTrue();
      assertThat(file.refusal()).isNotBlank();
    }
    ConfigurationFile folder =
        ConfigurationFile.of(
            Map.of("otel.config.file", directory.toString()), Map.of(), problems::add);
    assertThat(folder.refusal()).isEqualTo("it is no regular file");
    assertThat(problems).isEmpty();
  }
}
