// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * The last release's promises still hold: each line of its files in {@code releases} is one of the
 * code's, or the changelog names what it is about under "Unreleased". {@code -Dreleases.write=true}
 * writes the files of the version under way, never of one that is out.
 */
class ReleasesTest {
  private static final Path ROOT = Path.of("..");
  private static final Path RELEASES = ROOT.resolve("releases");
  private static final Path CHANGELOG = ROOT.resolve("CHANGELOG.md");

  @Test
  void promises_ofTheLastRelease_holdOrAreInTheChangelog() throws Exception {
    Map<String, Set<String>> now = Promises.ofTheCode(ROOT);
    String changelog = Files.readString(CHANGELOG);
    if (Boolean.getBoolean("releases.write")) {
      write(now, changelog);
    }
    Path last = last();
    for (Map.Entry<String, Set<String>> file : now.entrySet()) {
      List<String> promised = Files.readAllLines(last.resolve(file.getKey()));
      assertThat(promised).as(file.getKey()).hasSizeGreaterThan(1);
      assertThat(broken(promised, file.getValue(), changelog))
          .as(
              "Lines of %s that the code no longer has. If that is meant, name each, between"
                  + " backticks, in CHANGELOG.md under Unreleased, with what users do instead."
                  + " Before the version is out: -Dreleases.write=true",
              last.resolve(file.getKey()))
          .isEmpty();
    }
  }

  @Test
  void broken_lineThatIsGone_isOneUnlessTheChangelogNamesIt() {
    List<String> promised =
        List.of("setting deimos.a | 1", "setting deimos.a.b | 1", "metric pekko.c | counter");
    Set<String> now = Set.of("setting deimos.a | 2", "metric pekko.c | counter");
    String changelog = "## [Unreleased]\n- `deimos.a.b` is gone\n## [0.1.0]\n- `deimos.a`\n";
    assertThat(broken(promised, now, changelog)).containsExactly("setting deimos.a | 1");
  }

  @Test
  void ofTheCode_eachKind_isThere() throws Exception {
    Map<String, Set<String>> now = Promises.ofTheCode(ROOT);
    assertThat(now.get("names.txt"))
        .contains(
            "span process <Message> | CONSUMER",
            "span process <Message> | pekko.actor.path",
            "metric pekko.message.processed | counter, {message}");
    assertThat(now.get("settings.txt"))
        .contains("setting deimos.page.port | 9797", "setting deimos.remote.enabled | off");
    assertThat(now.get("page.txt"))
        .contains(
            "address GET /api/v1/actors | answers Actors",
            "address GET /api/v1/actors | parameter limit",
            "field Actor.mailbox | integer, null");
    assertThat(now.get("wire.txt")).anyMatch(line -> line.startsWith("link of pages | "));
  }

  private static List<String> broken(List<String> promised, Set<String> now, String changelog) {
    String unreleased = changelog.split("(?m)^## ", -1)[1];
    assertThat(unreleased).startsWith("[Unreleased]");
    return promised.stream()
        .filter(line -> !now.contains(line))
        .filter(line -> !unreleased.contains("`" + subject(line) + "`"))
        .toList();
  }

  /** The subject of a line, as a changelog calls it: without its kind and what is said of it. */
  private static String subject(String line) {
    String named = line.substring(0, line.indexOf(" | "));
    return named.substring(named.indexOf(' ') + 1);
  }

  private static void write(Map<String, Set<String>> now, String changelog) throws IOException {
    String pom = Files.readString(ROOT.resolve("pom.xml"));
    String version = pom.split("</?version>", 3)[1].replace("-SNAPSHOT", "");
    assertThat(changelog)
        .as("%s is out: its promises stay as they are", version)
        .doesNotContain("## [" + version + "] - ");
    Path directory = Files.createDirectories(RELEASES.resolve(version));
    for (Map.Entry<String, Set<String>> file : now.entrySet()) {
      Files.write(directory.resolve(file.getKey()), file.getValue());
    }
  }

  private static Path last() throws IOException {
    Map<Runtime.Version, Path> byVersion = new TreeMap<>();
    try (Stream<Path> versions = Files.list(RELEASES)) {
      versions
          .filter(Files::isDirectory)
          .forEach(
              path ->
                  byVersion.put(
                      Runtime.Version.parse(number(path.getFileName().toString())), path));
    }
    return Objects.requireNonNull(((TreeMap<Runtime.Version, Path>) byVersion).lastEntry())
        .getValue();
  }

  /** The JDK's versions begin with 1 or more, and do not end in 0. */
  private static String number(String version) {
    return "1." + version + ".1";
  }
}
