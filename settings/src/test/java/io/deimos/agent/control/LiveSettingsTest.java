// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.settings.ApplicationConfig;
import io.deimos.agent.settings.ConfigurationFile;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Layer;
import io.deimos.agent.settings.SettingLine;
import io.deimos.agent.settings.Settings;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveSettingsTest {
  @TempDir private Path directory;
  private final List<String> problems = new ArrayList<>();
  private final List<String> said = new ArrayList<>();
  private final List<String> audit = new ArrayList<>();

  private LiveSettings read(String hocon, Map<String, String> properties, Map<String, String> env)
      throws IOException {
    return read(hocon, properties, env, Layer.empty());
  }

  private LiveSettings read(
      String hocon, Map<String, String> properties, Map<String, String> env, Layer file)
      throws IOException {
    Files.writeString(directory.resolve("application.conf"), hocon);
    try (URLClassLoader loader = new URLClassLoader(new URL[] {directory.toUri().toURL()}, null)) {
      return LiveSettings.read(properties, env, file, loader, problems::add, audit::add);
    }
  }

  @Test
  void read_hocon_takenAndWeakest() throws IOException {
    Settings settings =
        read(
                """
                deimos {
                  page { port = 1, spans-kept = 200, traces-per-second = 3 }
                  metrics.enabled = off
                }
                """,
                Map.of("deimos.page.port", "3"),
                Map.of("DEIMOS_PAGE_PORT", "2", "DEIMOS_PAGE_SPANS_KEPT", "300"))
            .current();
    assertThat(settings.get(Keys.PAGE_PORT)).isEqualTo(3);
    assertThat(settings.get(Keys.SPANS_KEPT)).isEqualTo(300);
    assertThat(settings.get(Keys.TRACES_PER_SECOND)).isEqualTo(3);
    assertThat(settings.metrics()).isFalse();
    assertThat(problems).isEmpty();
  }

  @Test
  void read_configurationFile_goesBeforeHoconAndAfterVariables() throws IOException {
    Path yaml = directory.resolve("otel.yaml");
    Files.writeString(
        yaml,
        """
        file_format: "1.0"
        distribution:
          deimos:
            page: {port: 4, spans_kept: 400}
            page.traces-per-second: 400
            tracing:
              asks: off
        """);
    LiveSettings live =
        read(
            "deimos { page { port = 1, spans-kept = 1, traces-per-second = 1 }, tracing.asks = on }",
            Map.of("deimos.page.port", "3"),
            Map.of("DEIMOS_PAGE_PORT", "2", "DEIMOS_PAGE_SPANS_KEPT", "300"),
            ConfigurationFile.of(
                    Map.of("otel.config.file", yaml.toString()), Map.of(), problems::add)
                .layer());
    assertThat(live.current().get(Keys.PAGE_PORT)).isEqualTo(3);
    assertThat(live.current().get(Keys.SPANS_KEPT)).isEqualTo(300);
    assertThat(live.current().get(Keys.TRACES_PER_SECOND)).isEqualTo(400);
    assertThat(source(live, Keys.TRACES_PER_SECOND)).isEqualTo("otel.yaml: 5");
    assertThat(source(live, Keys.ASKS)).isEqualTo("otel.yaml: 7");
    live.application(
        ApplicationConfig.ofSystem("{\"tracing\":{\"asks\":\"on\"}}", "shop"), "actor system shop");
    assertThat(live.current().get(Keys.ASKS)).isFalse();
    assertThat(problems).isEmpty();
  }

  @Test
  void read_wrongInHocon_namesFileAndLine() throws IOException {
    read("deimos.page {\n  port = http\n  prot = 1\n}", Map.of(), Map.of());
    assertThat(problems)
        .containsExactlyInAnyOrder(
            "deimos.page.port=http (application.conf: 2) is not a whole number in [0, 65535]; using"
                + " 9797",
            "deimos.page.prot (application.conf: 3): there is no such setting; did you mean"
                + " deimos.page.port?");
  }

  @Test
  void read_substitutionOfWhatIsNotThereYet_leavesOnlyThatOut() throws IOException {
    Settings settings =
        read(
                "deimos.page { port = ${of.a.library}, spans-kept = ${n} }\nn = 400",
                Map.of(),
                Map.of())
            .current();
    assertThat(settings.get(Keys.PAGE_PORT)).isEqualTo(9797);
    assertThat(settings.get(Keys.SPANS_KEPT)).isEqualTo(400);
    assertThat(problems).isEmpty();
  }

  @Test
  void read_brokenHocon_isNamedAndLeftOut() throws IOException {
    assertThat(read("deimos { page { port = 1 ", Map.of(), Map.of()).current())
        .isEqualTo(Settings.defaults());
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("application.conf", "could not be read");
  }

  @Test
  void application_saysWhatTheStartSaid_nothingIsTold() throws IOException {
    LiveSettings settings = read("deimos.page.port = 1", Map.of(), Map.of());
    settings.application(
        ApplicationConfig.ofSystem("{\"page\":{\"port\":1}}", "shop"), "actor system shop");
    assertThat(problems).isEmpty();
  }

  @Test
  void application_saysTheSameWrongThing_isToldInTheSameWords() throws IOException {
    LiveSettings settings = read("deimos.page.port = http", Map.of(), Map.of());
    settings.application(
        ApplicationConfig.ofSystem("{\"page\":{\"port\":\"http\"}}", "shop"), "actor system shop");
    assertThat(problems).hasSize(2);
    assertThat(problems.get(1)).isEqualTo(problems.get(0)).contains("application.conf: 1");
  }

  @Test
  void application_saysOtherwise_whatCannotChangeIsNamedInOneMessage() throws IOException {
    LiveSettings settings = read("", Map.of("deimos.page.port", "5"), Map.of());
    settings.application(
        ApplicationConfig.ofSystem(
            "{\"page\":{\"port\":1,\"spans-kept\":200},\"metrics\":{\"enabled\":false}}", "shop"),
        "actor system shop");
    assertThat(settings.current().get(Keys.PAGE_PORT)).isEqualTo(5);
    assertThat(settings.current().metrics()).isFalse();
    assertThat(audit)
        .containsExactly(
            "setting deimos.metrics.enabled changed from true to false by actor system shop");
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0))
        .startsWith("the configuration of actor system shop was not known when the JVM started")
        .contains("deimos.page.spans-kept=200")
        .doesNotContain("deimos.page.port", "deimos.metrics.enabled");
  }

  @Test
  void application_turnsOnWhatWasOffAtTheStart_isNamed() throws IOException {
    LiveSettings settings = read("deimos.metrics.enabled = off", Map.of(), Map.of());
    settings.application(
        ApplicationConfig.ofSystem("{\"metrics\":{\"enabled\":true}}", "shop"),
        "actor system shop");
    assertThat(settings.current().metrics()).isFalse();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.metrics.enabled=true", "deimos.control.weave-all");
    assertThat(settings.set("deimos.metrics.enabled", "true")).contains("deimos.control.weave-all");
  }

  @Test
  void weaveAll_whatWasOffAtTheStart_isWovenAndCanBeTurnedOn() throws IOException {
    LiveSettings settings =
        read(
            "deimos { enabled = off, persistence.enabled = off, control.weave-all = on }",
            Map.of(),
            Map.of());
    assertThat(settings.current().isOn()).isFalse();
    assertThat(settings.current().woven().isOn()).isTrue();
    assertThat(settings.current().woven().get(Keys.PERSISTENCE)).isTrue();
    assertThat(settings.set("deimos.enabled", "true")).isNull();
    assertThat(settings.set("deimos.persistence.enabled", "true")).isNull();
    assertThat(settings.current().isOn()).isTrue();
    assertThat(settings.current().get(Keys.PERSISTENCE)).isTrue();
    assertThat(settings.set("deimos.tracing.ring-capacity", "64")).isNotNull();
    assertThat(problems).isEmpty();
  }

  @Test
  void look_fileChanges_isInForceAuditedAndStronger() throws IOException {
    LiveSettings settings = read("", Map.of("deimos.tracing.asks", "true"), Map.of());
    List<Settings> told = new ArrayList<>();
    settings.onChange(told::add);
    Path file = directory.resolve("control.conf");
    ControlFile control = new ControlFile(file, settings, problems::add, said::add);
    control.look();
    assertThat(told).isEmpty();
    Files.writeString(file, "deimos { tracing { asks = off, ring-capacity = 64 } }");
    control.look();
    control.look();
    assertThat(settings.current().get(Keys.ASKS)).isFalse();
    assertThat(told).hasSize(1);
    assertThat(audit)
        .containsExactly("setting deimos.tracing.asks changed from true to false by " + file);
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.tracing.ring-capacity=64", "needs a restart");
    Files.delete(file);
    control.look();
    assertThat(settings.current().get(Keys.ASKS)).isTrue();
  }

  @Test
  void look_brokenFile_isToldAndWhatWasStillHolds() throws IOException {
    LiveSettings settings = read("", Map.of(), Map.of());
    Path file = directory.resolve("control.conf");
    ControlFile control = new ControlFile(file, settings, problems::add, said::add);
    Files.writeString(file, "deimos.tracing.asks = off");
    control.look();
    Files.writeString(file, "deimos { tracing");
    control.look();
    assertThat(settings.current().get(Keys.ASKS)).isFalse();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.control.file=", "still holds");
  }

  @Test
  void look_fileThatDoesNotExist_isSaidOnceAndReadOnceItDoes() throws IOException {
    LiveSettings settings = read("", Map.of(), Map.of());
    Path file = directory.resolve("later.conf");
    ControlFile control = new ControlFile(file, settings, problems::add, said::add);
    control.look();
    control.look();
    assertThat(said)
        .containsExactly(
            "deimos.control.file=" + file + " does not exist; it is read as soon as it does");
    Files.writeString(file, "deimos {\n  tracing.asks = off\n  page.prot = 1\n}");
    control.look();
    assertThat(settings.current().get(Keys.ASKS)).isFalse();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.page.prot (" + file + ": 3)");
  }

  @Test
  void look_fileThatIsNoneOrTooLarge_isToldAndReadOnceItIsMended() throws Exception {
    LiveSettings settings = read("", Map.of(), Map.of());
    Path file = directory.resolve("control.conf");
    ControlFile control = new ControlFile(file, settings, problems::add, said::add);
    assertThat(new ProcessBuilder("mkfifo", file.toString()).start().waitFor()).isZero();
    control.look();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.control.file=" + file, "not a regular file");
    Files.delete(file);
    Files.writeString(file, "# " + "x".repeat(100_000) + "\ndeimos.tracing.asks = off");
    control.look();
    assertThat(problems).hasSize(2);
    assertThat(problems.get(1)).contains("longer than 65536 bytes");
    assertThat(settings.current().get(Keys.ASKS)).isTrue();
    Files.writeString(file, "deimos.tracing.asks = off");
    control.look();
    assertThat(settings.current().get(Keys.ASKS)).isFalse();
  }

  @Test
  void look_listenerFails_isToldAndTheWatchGoesOn() throws IOException {
    LiveSettings settings = read("", Map.of(), Map.of());
    settings.onChange(
        changed -> {
          throw new IllegalStateException("broken listener");
        });
    Path file = directory.resolve("control.conf");
    ControlFile control = new ControlFile(file, settings, problems::add, said::add);
    Files.writeString(file, "deimos.tracing.asks = off");
    control.look();
    assertThat(problems).hasSize(1);
    assertThat(problems.get(0)).contains("deimos.control.file=", "broken listener");
    Files.writeString(file, "deimos.tracing.asks = on");
    control.look();
    assertThat(settings.current().get(Keys.ASKS)).isTrue();
  }

  @Test
  void set_onThePage_isStrongestUntilTakenBack() throws IOException {
    LiveSettings settings = read("", Map.of("deimos.tracing.asks", "true"), Map.of());
    assertThat(settings.set("deimos.tracing.asks", "off")).isNull();
    assertThat(settings.current().get(Keys.ASKS)).isFalse();
    assertThat(settings.set("deimos.tracing.asks", null)).isNull();
    assertThat(settings.current().get(Keys.ASKS)).isTrue();
    assertThat(audit).hasSize(2);
  }

  @Test
  void set_whatCannotBe_isRefusedWithTheReason() throws IOException {
    LiveSettings settings = read("", Map.of(), Map.of());
    assertThat(settings.set("deimos.nothing", "1")).contains("there is no setting");
    assertThat(settings.set("deimos.page.port", "1")).contains("cannot change");
    assertThat(settings.set("deimos.tracing.asks", "maybe")).contains("is not true or false");
    assertThat(settings.current()).isEqualTo(Settings.defaults());
    assertThat(problems).isEmpty();
  }

  @Test
  void lines_ofEachSource_sayWhereTheValueComesFrom() throws IOException {
    LiveSettings live =
        read(
            "deimos {\n  tracing.asks = off\n}",
            Map.of("deimos.page.port", "1"),
            Map.of("DEIMOS_PAGE_SPANS_KEPT", "300"));
    live.file(Layer.ofProperties(Map.of("deimos.forensics.enabled", "false")), "a file");
    assertThat(live.set("deimos.stuck.threshold", "3s")).isNull();
    assertThat(source(live, Keys.ASKS)).isEqualTo("application.conf: 2");
    assertThat(source(live, Keys.PAGE_PORT)).isEqualTo("system property");
    assertThat(source(live, Keys.SPANS_KEPT)).isEqualTo("environment variable");
    assertThat(source(live, Keys.FORENSICS)).isEqualTo("control file");
    assertThat(source(live, Keys.STUCK_THRESHOLD)).isEqualTo("this page");
    assertThat(source(live, Keys.TAIL)).isEqualTo("default");
    live.file(Layer.ofProperties(Map.of("deimos.page.port", "2")), "a file");
    assertThat(source(live, Keys.PAGE_PORT)).isEqualTo("as when the JVM started");
  }

  @Test
  void recordNothing_changesLater_haveNoEffectAndAreToldSo() throws IOException {
    LiveSettings live = read("", Map.of(), Map.of());
    live.recordNothing();
    assertThat(live.current().enabled()).isFalse();
    assertThat(live.set("deimos.enabled", "true")).contains("nothing is recorded until a restart");
    Path file = directory.resolve("control.conf");
    Files.writeString(file, "deimos { enabled = on, tracing.asks = off }");
    new ControlFile(file, live, problems::add, said::add).look();
    live.application(
        ApplicationConfig.ofSystem("{\"tracing\":{\"asks\":false}}", "shop"), "actor system shop");
    live.turn();
    assertThat(problems)
        .singleElement()
        .asString()
        .startsWith(file + " has no effect")
        .contains("nothing is recorded until a restart");
    assertThat(audit).isEmpty();
    assertThat(live.current()).isEqualTo(Settings.defaults().with(Keys.ENABLED, false));
  }

  @Test
  void recordNothing_lines_sayItAndThatNothingMayChange() throws IOException {
    LiveSettings live = read("", Map.of(), Map.of());
    live.recordNothing();
    assertThat(live.lines()).noneMatch(SettingLine::mayChange);
    assertThat(live.lines().get(0).name()).isEqualTo("deimos.enabled");
    assertThat(live.lines().get(0).value()).isEqualTo("false");
    assertThat(source(live, Keys.ENABLED)).isEqualTo("a failure at the start");
    assertThat(source(live, Keys.ASKS)).isEqualTo("default");
  }

  @Test
  void unseen_controlFileChanges_isToldWithIt() throws IOException {
    LiveSettings live = read("", Map.of(), Map.of());
    live.unseen("nobody sees spans");
    Path file = directory.resolve("control.conf");
    Files.writeString(file, "deimos.tracing.asks = off");
    new ControlFile(file, live, problems::add, said::add).look();
    assertThat(audit)
        .containsExactly(
            file + " was read (nobody sees spans)",
            "setting deimos.tracing.asks changed from true to false by " + file);
  }

  private static String source(LiveSettings live, Key<?> key) {
    return live.lines().stream()
        .filter(line -> line.name().equals(key.name()))
        .map(SettingLine::source)
        .findFirst()
        .orElseThrow();
  }
}
