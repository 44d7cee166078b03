// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each sentence on security is in the table of claims, and each test there exists. */
class ThreatModelTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TABLE = Path.of("src/test/resources/threat-model.txt");

  /** An ability of somebody, or a place of something: */
  private static final String DESCRIBES = "describes";

  private static final List<String> NO_PROMISE = List.of(DESCRIBES, "advises");

  private static final Pattern PROMISE =
      Pattern.compile(
          "\\b(never|nothing|nobody|none|only|cannot|bounded|refused|removed)\\b",
          Pattern.CASE_INSENSITIVE);

  /** Some words of a claim, and its tests as {@code Class#method}, or why it needs none. */
  private record Claim(String words, List<String> tests) {
    boolean promises() {
      return !NO_PROMISE.containsAll(tests);
    }
  }

  /** By the file that they are of. */
  private static Map<String, List<Claim>> claims() throws IOException {
    Map<String, List<Claim>> claims = new LinkedHashMap<>();
    String file = "";
    for (String line : Files.readAllLines(TABLE)) {
      if (line.startsWith("= ")) {
        file = line.substring(2);
      } else if (!line.startsWith("#")) {
        String[] parts = line.split(" \\| ", 2);
        claims
            .computeIfAbsent(file, any -> new ArrayList<>())
            .add(new Claim(parts[1], List.of(parts[0].split(", ", -1))));
      }
    }
    return claims;
  }

  /** Without headings, marks, and the heads of tables. A row of a table is a sentence. */
  private static List<String> sentences(String file) throws IOException {
    String text =
        Files.readString(ROOT.resolve(file))
            .replaceAll("(?s)```.*?```", "")
            .replaceAll("(?m)^    .*$", "")
            .replaceAll("(?m)^\\|.*\\n\\|[-|]*\\|$", "");
    List<String> sentences = new ArrayList<>();
    for (String paragraph : text.split("\n\\s*\n|\n(?=- |\\|)", -1)) {
      if (!paragraph.isBlank() && !paragraph.strip().startsWith("#")) {
        String plain =
            paragraph
                .strip()
                .replaceAll("\\s+", " ")
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .replaceAll("^\\*\\*[^*]+\\.\\*\\* |[*`]|^- ", "");
        sentences.addAll(Arrays.asList(plain.split("(?<=\\.) (?=[A-Z/]|deimos)", -1)));
      }
    }
    return sentences;
  }

  @ParameterizedTest
  @CsvSource({"docs/security.md, 80", "SECURITY.md, 4"})
  void sentences_onSecurity_haveARowEach(String file, int fewest) throws IOException {
    List<Claim> claims = claims().getOrDefault(file, List.of());
    List<String> sentences = sentences(file);
    assertThat(sentences)
        .hasSizeGreaterThan(fewest)
        .allSatisfy(
            sentence ->
                assertThat(claims)
                    .as("src/test/resources/threat-model.txt has: %s", sentence)
                    .anyMatch(claim -> sentence.contains(claim.words())));
    assertThat(claims)
        .allSatisfy(
            claim ->
                assertThat(sentences)
                    .as("%s says: %s", file, claim.words())
                    .anyMatch(sentence -> sentence.contains(claim.words())));
  }

  @ParameterizedTest
  @ValueSource(strings = {"docs/security.md", "SECURITY.md"})
  void sentences_thatDescribe_promiseNothing(String file) throws IOException {
    List<Claim> claims = claims().getOrDefault(file, List.of());
    assertThat(sentences(file))
        .filteredOn(
            sentence ->
                claims.stream()
                    .filter(claim -> sentence.contains(claim.words()))
                    .allMatch(claim -> claim.tests().contains(DESCRIBES)))
        .allSatisfy(sentence -> assertThat(sentence).doesNotContainPattern(PROMISE));
  }

  @Test
  void tests_ofTheTable_exist() throws IOException {
    List<Path> sources = new ArrayList<>();
    for (Path tests : DocsPages.tests(ROOT)) {
      try (Stream<Path> files = Files.walk(tests)) {
        files
            .filter(file -> file.toString().matches(".*(\\.java|\\.test\\.ts)"))
            .forEach(sources::add);
      }
    }
    for (List<Claim> claims : claims().values()) {
      for (Claim claim : claims) {
        if (claim.promises()) {
          for (String test : claim.tests()) {
            assertThat(exists(test, sources)).as("%s, for: %s", test, claim.words()).isTrue();
          }
        }
      }
    }
  }

  private static boolean exists(String test, List<Path> sources) throws IOException {
    assertThat(test).as("a test, or one of %s", NO_PROMISE).contains("#");
    String[] name = test.split("#", 2);
    boolean isScript = name[0].endsWith(".ts");
    String file = isScript ? name[0] : name[0] + ".java";
    String method = isScript ? "test(\"" + name[1] + "\"" : "void " + name[1] + "(";
    for (Path source : sources) {
      if (source.endsWith(file) && Files.readString(source).contains(method)) {
        return true;
      }
    }
    return false;
  }
}
