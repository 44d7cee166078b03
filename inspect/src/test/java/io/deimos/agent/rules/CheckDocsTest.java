// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Rule;
import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.ValueType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The table of rules says what the rules say. {@code -Ddocs.write=true} writes it. */
class CheckDocsTest {
  private static final Path DOCS = Path.of("../docs/check.md");
  private static final String BEGIN = "<!-- rules: made of their classes -->\n";
  private static final String END = "<!-- end of rules -->\n";

  private static String table() {
    return AllRules.all().stream()
        .map(Rule::about)
        .map(
            rule ->
                "| `%s` | %s | %s | %s |\n"
                    .formatted(
                        rule.id(),
                        rule.finds(),
                        rule.settings().stream()
                            .map(CheckDocsTest::threshold)
                            .collect(Collectors.joining("<br>")),
                        rule.advice()))
        .collect(
            Collectors.joining(
                "",
                "| rule | it finds | thresholds, below `deimos.check` | advice |\n|---|---|---|---|\n",
                ""));
  }

  private static <T> String threshold(Key<T> key) {
    return "`%s` = %s"
        .formatted(key.name().substring("deimos.check.".length()), ValueType.show(key.otherwise()));
  }

  @Test
  void table_inDocs_isThatOfTheRules() throws IOException {
    String docs = Files.readString(DOCS);
    int from = docs.indexOf(BEGIN) + BEGIN.length();
    int to = docs.indexOf(END);
    if (Boolean.getBoolean("docs.write")) {
      docs = docs.substring(0, from) + table() + docs.substring(to);
      Files.writeString(DOCS, docs);
      to = docs.indexOf(END);
    }
    assertThat(docs.substring(from, to)).isEqualTo(table());
  }

  @Test
  void rules_haveNamesOfTheirOwn_andThresholdsBelowThem() {
    assertThat(AllRules.all()).extracting(Rule::id).doesNotHaveDuplicates();
    assertThat(AllRules.all())
        .allSatisfy(
            rule -> {
              assertThat(rule.id()).matches("[a-z]+(-[a-z]+)*").isNotEqualTo(Checks.OWN);
              assertThat(rule.about().finds()).endsWith(".");
              assertThat(rule.about().advice()).endsWith(".");
              assertThat(rule.about().settings())
                  .allSatisfy(
                      key -> {
                        assertThat(key.name()).startsWith("deimos.check." + rule.id() + ".");
                        assertThat(Keys.all()).contains(key);
                      });
            });
  }
}
