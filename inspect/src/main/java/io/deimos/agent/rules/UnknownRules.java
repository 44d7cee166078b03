// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Rule;
import io.deimos.agent.log.Printable;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Tells of names in {@code deimos.check.ignore} that no rule has. The other names count. */
public final class UnknownRules implements Consumer<Settings> {
  private final Consumer<String> problems;

  public UnknownRules(Consumer<String> problems) {
    this.problems = problems;
  }

  @Override
  public void accept(Settings settings) {
    List<String> given = settings.get(Keys.CHECK_IGNORE);
    if (given.isEmpty()) {
      return;
    }
    List<String> known =
        Stream.concat(AllRules.all().stream().map(Rule::id), Stream.of(Checks.OWN))
            .sorted()
            .toList();
    String unknown =
        given.stream()
            .filter(one -> !known.contains(one.split(":", 2)[0]))
            .collect(Collectors.joining(", "));
    if (!unknown.isEmpty()) {
      problems.accept(
          Keys.CHECK_IGNORE.name()
              + "="
              + Printable.shortLine(unknown)
              + " names no rule, and ignores nothing; the rules are "
              + String.join(", ", known));
    }
  }
}
