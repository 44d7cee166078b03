// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A page of the documentation as it is in the release, and what it tells readers to type. */
record Docs(String name, String text) {
  static Docs page(String name) {
    return new Docs(name, Made.once().real().git("show", "v" + Clone.VERSION + ":docs/" + name));
  }

  /** The blocks of a language in a section, in order. */
  List<String> blocks(String heading, String language) {
    String section = found("(?ms)^#+ " + Pattern.quote(heading) + "$(.*?)(?=^#|\\z)", text).get(0);
    return found("(?ms)^```" + language + "\\n(.*?)^```", section);
  }

  /** The only one. */
  String block(String heading, String language) {
    assertThat(blocks(heading, language)).as("%s, %s", name, heading).hasSize(1);
    return blocks(heading, language).get(0);
  }

  /** The elements of a name in XML, with their tags. */
  static String elements(String name, String xml) {
    return String.join("\n", found("(?s)(<" + name + ">.*?</" + name + ">)", xml));
  }

  private static List<String> found(String pattern, String text) {
    List<String> found =
        Pattern.compile(pattern)
            .matcher(text)
            .results()
            .map((MatchResult r) -> r.group(1))
            .toList();
    assertThat(found).as("what fits %s in%n%s", pattern, text).isNotEmpty();
    return found;
  }
}
