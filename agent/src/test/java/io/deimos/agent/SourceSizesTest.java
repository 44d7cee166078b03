// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent;

import static java.util.stream.Collectors.counting;
import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Bounds of the main code of all modules. A class, package or record beyond them is divided. */
class SourceSizesTest {
  private static final Path ROOT = Path.of("..");
  private static final int MAX_LINES = 500;
  private static final int MAX_FILES = 40;
  private static final int MAX_COMPONENTS = 8;

  private static final Pattern RECORD =
      Pattern.compile("^ *(?:[a-z]+ )*record (\\w+)(?:<.*>)?\\(", Pattern.MULTILINE);

  /**
   * Flat records: {@code Rare} is one object on the way of a message, and {@code RecordedSpan} is
   * an interface of the test kit, which alone makes it.
   */
  private static final Set<String> FLAT = Set.of("Rare", "RecordedSpan");

  private final List<Path> sources = sources();

  @Test
  void classes_ofMainCode_haveAtMost500Lines() {
    assertThat(sources)
        .filteredOn(source -> text(source).lines().count() > MAX_LINES)
        .extracting(source -> source.getFileName().toString())
        .isEmpty();
  }

  @Test
  void packages_ofMainCode_haveAtMost40Files() {
    assertThat(sources.stream().collect(groupingBy(Path::getParent, counting())).entrySet())
        .filteredOn(files -> files.getValue() > MAX_FILES)
        .isEmpty();
  }

  @Test
  void records_ofMainCode_haveAtMost8Components() {
    assertThat(sources).flatMap(source -> large(text(source))).isSubsetOf(FLAT);
  }

  private static List<String> large(String text) {
    return RECORD
        .matcher(text)
        .results()
        .filter(record -> components(text, record.end()) > MAX_COMPONENTS)
        .map(record -> record.group(1))
        .toList();
  }

  /** Commas between a record's parentheses, outside of type arguments, and one. */
  private static int components(String text, int from) {
    int count = 1;
    int inside = 0;
    for (int at = from; inside >= 0; at++) {
      char c = text.charAt(at);
      inside += c == '(' || c == '<' ? 1 : c == ')' || c == '>' ? -1 : 0;
      count += c == ',' && inside == 0 ? 1 : 0;
    }
    return count;
  }

  private static List<Path> sources() {
    try (Stream<Path> modules = Files.list(ROOT)) {
      return modules
          .map(module -> module.resolve("src/main/java"))
          .filter(Files::isDirectory)
          .flatMap(SourceSizesTest::below)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Stream<Path> below(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      return files.filter(file -> file.toString().endsWith(".java")).toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String text(Path source) {
    try {
      return Files.readString(source);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
