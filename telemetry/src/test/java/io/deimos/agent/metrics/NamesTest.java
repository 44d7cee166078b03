// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.names.Attribute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names are an interface. The declared names are those of the list, so that no name changes
 * unnoticed. {@code -Dnames.write=true} writes the list, {@code -Ddocs.write=true} the cells of the
 * documentation that the code declares.
 */
class NamesTest {
  private static final Path LIST = Path.of("src/test/resources/names.txt");
  private static final Path DOCS = Path.of("../docs/telemetry.md");

  @Test
  void names_inCode_areThoseOfTheList() throws IOException {
    if (Boolean.getBoolean("names.write")) {
      Files.writeString(LIST, NamesDocs.list());
    }
    assertThat(NamesDocs.list().lines()).containsExactlyElementsOf(Files.readAllLines(LIST));
  }

  @Test
  void names_inDocs_areThoseOfTheCode() throws IOException {
    String docs = Files.readString(DOCS);
    if (Boolean.getBoolean("docs.write")) {
      docs = new NamesPage(docs).written();
      Files.writeString(DOCS, docs);
    }
    NamesPage page = new NamesPage(docs);
    assertThat(docs).isEqualTo(page.written());
    assertThat(page.rows()).containsExactlyInAnyOrderElementsOf(NamesPage.declared());
    assertThat(docs).contains("A link has `" + Attribute.LINK_REASON.key() + "`.");
    assertThat(NamesDocs.attributes()).map(NamesPage::typed).allMatch(docs::contains);
  }

  /** Types that the page states, and keys that it explains, are the code's. */
  @Test
  void attributes_inDocs_areThoseOfTheCode() throws IOException {
    Set<String> typed =
        NamesDocs.attributes().stream().map(NamesPage::typed).collect(Collectors.toSet());
    List<String> explained =
        Files.readAllLines(DOCS).stream()
            .dropWhile(line -> !line.equals("## Attributes"))
            .filter(line -> line.startsWith("- "))
            .takeWhile(line -> !line.contains("is about Pekko"))
            .map(line -> line.substring(2).split(": ", 2)[0])
            .flatMap(keys -> Stream.of(keys.split(", ", -1)))
            .toList();
    assertThat(explained).hasSizeGreaterThan(30).doesNotHaveDuplicates().allMatch(typed::contains);
  }

  @Test
  void names_ofMetrics_areEachDeclaredOnce() {
    assertThat(NamesDocs.metrics()).extracting(NamesDocs.Told::id).doesNotHaveDuplicates();
  }

  /** The grammar that docs/telemetry.md describes. */
  @Test
  void names_ofMetrics_followTheGrammar() {
    for (NamesDocs.Told metric : NamesDocs.metrics()) {
      String last = metric.id().substring(metric.id().lastIndexOf('.') + 1);
      switch (metric.kind() + ", " + metric.unit()) {
        case "histogram, s" -> assertThat(last).as(metric.id()).isEqualTo("duration");
        case "counter, s" -> assertThat(last).as(metric.id()).isEqualTo("time");
        case "counter, By" -> assertThat(last).as(metric.id()).isEqualTo("io");
        default -> {
          if (metric.kind().equals("up-down counter")) {
            assertThat(last).as(metric.id()).isIn("count", "size", "usage", "parallelism");
          } else if (metric.kind().equals("counter")) {
            assertThat(last)
                .as(metric.id())
                .doesNotEndWith("s")
                .isNotIn("count", "size", "created"); // the last is Prometheus' own
          }
        }
      }
    }
  }

  @Test
  void names_haveANamespaceAndNoUnit() {
    List<String> all =
        Stream.concat(
                NamesDocs.metrics().stream().map(NamesDocs.Told::id),
                Stream.of(Attribute.values()).map(Attribute::key))
            .toList();
    assertThat(all)
        .allMatch(name -> name.matches("[a-z]+(\\.[a-z_]+)+"))
        .noneMatch(name -> name.matches(".*\\b(seconds|bytes|nanos|millis)\\b.*"));
  }
}
