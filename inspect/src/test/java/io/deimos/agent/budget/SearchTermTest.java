// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Random;
import org.junit.jupiter.api.Test;

class SearchTermTest {
  private static boolean contains(String value, String term) {
    for (int at = 0; at <= value.length() - term.length(); at++) {
      if (value.regionMatches(true, at, term, 0, term.length())) {
        return true;
      }
    }
    return false;
  }

  @Test
  void isIn_textsOfFewLetters_findsWhatAPlainSearchFinds() {
    Random random = new Random(7);
    for (int i = 0; i < 20_000; i++) {
      String value = text(random, random.nextInt(40));
      String term = text(random, random.nextInt(8));
      assertThat(SearchTerm.of(term).isIn(value))
          .as("%s in %s", term, value)
          .isEqualTo(contains(value, term));
    }
  }

  private static String text(Random random, int length) {
    String letters = "aAbB\u00fc\u00dc\u212ak\u0130i";
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      text.append(letters.charAt(random.nextInt(random.nextBoolean() ? 4 : letters.length())));
    }
    return text.toString();
  }

  @Test
  void isIn_nothing_isFalse() {
    assertThat(SearchTerm.of("a").isIn(null)).isFalse();
    assertThat(SearchTerm.of("").isIn("")).isTrue();
  }

  @Test
  void of_tooMuch_saysHowMuchMayBe() {
    assertThatThrownBy(() -> SearchTerm.of("a".repeat(257)))
        .hasMessage("a term has 257 characters, and at most 256 are looked for: give a part of it");
    assertThatThrownBy(() -> SearchTerm.all("a", "b", "c", "d", "e", "f", "g", "h", "i"))
        .hasMessage("at most 8 terms are looked for, and these are 9");
  }
}
