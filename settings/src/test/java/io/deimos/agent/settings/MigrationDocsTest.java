// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Names on the page for those who come from other tools are ours. */
class MigrationDocsTest {
  private static final Path PAGE = Path.of("../docs/migration.md");
  private static final Path TELEMETRY = Path.of("../docs/telemetry.md");
  private static final Path SETTINGS = Path.of("../docs/settings.md");
  private static final Pattern QUOTED = Pattern.compile("`([^`\n]+)`");
  private static final Pattern SETTING = Pattern.compile("(?<![\\w.-])deimos(\\.[a-z-]+)+");
  private static final Pattern NAME = Pattern.compile("pekko(\\.[a-z_]+)+");
  private static final Pattern ENDING = Pattern.compile("(\\.[a-z_]+)+");

  @Test
  void settings_onThePage_exist() throws IOException {
    Set<String> keys = Keys.all().stream().map(Key::name).collect(Collectors.toSet());
    Set<String> transports = transports();
    List<String> named =
        ours().flatMap(cell -> SETTING.matcher(cell).results()).map(MatchResult::group).toList();
    assertThat(named).hasSizeGreaterThan(15);
    assertThat(named)
        .allMatch(
            name ->
                keys.contains(name)
                    || transports.contains(name)
                    || keys.stream().anyMatch(key -> key.startsWith(name + "."))
                    || name.equals("deimos.api"));
  }

  @Test
  void metricsAndAttributes_onThePage_areDocumentedAsTold() throws IOException {
    Set<String> told =
        QUOTED
            .matcher(Files.readString(TELEMETRY))
            .results()
            .map(quoted -> quoted.group(1))
            .collect(Collectors.toSet());
    List<String> named =
        ours()
            .flatMap(cell -> QUOTED.matcher(cell).results())
            .map(quoted -> quoted.group(1))
            .filter(name -> NAME.matcher(name).matches() || ENDING.matcher(name).matches())
            .filter(name -> !name.equals("pekko.actor.deployment"))
            .toList();
    assertThat(named).hasSizeGreaterThan(30);
    assertThat(named)
        .allMatch(
            name ->
                told.contains(name)
                    || (name.startsWith(".")
                        && Stream.concat(told.stream(), Keys.all().stream().map(Key::name))
                            .anyMatch(whole -> whole.endsWith(name))));
  }

  /** The transport's settings, which it reads itself, and its metrics. */
  private static Set<String> transports() {
    return Stream.of(SETTINGS, TELEMETRY)
        .flatMap(MigrationDocsTest::quoted)
        .filter(name -> name.startsWith("deimos.remote."))
        .collect(Collectors.toSet());
  }

  private static Stream<String> quoted(Path page) {
    try {
      return QUOTED.matcher(Files.readString(page)).results().map(quoted -> quoted.group(1));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The last cell of each row. */
  private static Stream<String> ours() throws IOException {
    return Files.readAllLines(PAGE).stream()
        .filter(line -> line.startsWith("| "))
        .map(line -> line.replaceFirst("\\s*\\|$", ""))
        .map(line -> line.substring(line.lastIndexOf(" | ") + 3));
  }
}
