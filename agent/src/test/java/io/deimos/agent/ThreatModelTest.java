// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Each sentence of the threat model is in the table of claims, and each test there exists. */
class ThreatModelTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path TABLE = Path.of("src/test/resources/threat-model.txt");
  private static final String NONE = "-";

  /** Some words of a claim, and its tests as {@code Class#method}; none if it promises nothing. */
  private record Claim(String words, List<String> tests) {}

  private static List<Claim> claims() throws IOException {
    return Files.readAllLines(TABLE).stream()
        .filter(line -> !line.startsWith("#"))
        .map(
            line -> {
              String[] parts = line.split(" \\| ", 2);
              return new Claim(
                  parts[1], parts[0].equals(NONE) ? List.of() : List.of(parts[0].split(", ", -1)));
            })
        .toList();
  }

  /** Of what stands between the assets and what is not covered, without marks. */
  private static List<String> sentences() throws IOException {
    String text = Files.readString(ROOT.resolve("docs/threat-model.md"));
    text = text.substring(text.indexOf("## Attackers"), text.indexOf("## What is not covered"));
    List<String> sentences = new ArrayList<>();
    for (String paragraph : text.split("\n\\s*\n|\n(?=- )", -1)) {
      if (!paragraph.isBlank() && !paragraph.startsWith("#")) {
        String plain =
            paragraph
                .replaceAll("\\s+", " ")
                .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1")
                .replaceAll("[*`]|^- ", "");
        sentences.addAll(List.of(plain.split("(?<=\\.) (?=[A-Z])", -1)));
      }
    }
    return sentences;
  }

  @Test
  void sentences_ofTheThreatModel_haveARowEach() throws IOException {
    List<Claim> claims = claims();
    assertThat(sentences())
        .hasSizeGreaterThan(80)
        .allSatisfy(
            sentence ->
                assertThat(claims)
                    .as("src/test/resources/threat-model.txt has: %s", sentence)
                    .anyMatch(claim -> sentence.contains(claim.words())));
  }

  @Test
  void claims_ofTheTable_areOneSentenceEach() throws IOException {
    List<String> sentences = sentences();
    assertThat(claims())
        .allSatisfy(
            claim ->
                assertThat(sentences)
                    .as("docs/threat-model.md says: %s", claim.words())
                    .filteredOn(sentence -> sentence.contains(claim.words()))
                    .isNotEmpty());
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
    for (Claim claim : claims()) {
      for (String test : claim.tests()) {
        String[] name = test.split("#", 2);
        boolean isScript = name[0].endsWith(".ts");
        String file = isScript ? name[0] : name[0] + ".java";
        String method = isScript ? "test(\"" + name[1] + "\"" : "void " + name[1] + "(";
        boolean exists = false;
        for (Path source : sources) {
          exists |= source.endsWith(file) && Files.readString(source).contains(method);
        }
        assertThat(exists).as("%s, for: %s", test, claim.words()).isTrue();
      }
    }
  }
}
