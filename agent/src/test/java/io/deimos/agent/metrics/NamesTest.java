// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.names.Attribute;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names are an interface. What the code declares is what the list has, so that no name changes
 * unnoticed. {@code -Dnames.write=true} writes the list, {@code -Ddocs.write=true} the
 * documentation.
 */
class NamesTest {
  private static final Path LIST = Path.of("src/test/resources/names.txt");
  private static final Path DOCS = Path.of("../docs/names.md");
  private static final String BEGIN = "<!-- names: made of the declarations -->\n";
  private static final String END = "<!-- end of names -->\n";

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
    int from = docs.indexOf(BEGIN) + BEGIN.length();
    if (Boolean.getBoolean("docs.write")) {
      docs = docs.substring(0, from) + NamesDocs.tables() + docs.substring(docs.indexOf(END));
      Files.writeString(DOCS, docs);
    }
    assertThat(docs.substring(from, docs.indexOf(END))).isEqualTo(NamesDocs.tables());
  }

  @Test
  void names_ofMetrics_areEachDeclaredOnce() {
    assertThat(NamesDocs.metrics()).extracting(NamesDocs.Told::id).doesNotHaveDuplicates();
  }

  /** The grammar that docs/names.md describes. */
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
