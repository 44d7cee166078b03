// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A text that is looked for in others, in any case. Looking through a text takes time in proportion
 * to its length, whatever the two say (Knuth, Morris and Pratt). Immutable.
 */
public final class SearchTerm {
  public static final int MAX_CHARS = 256;
  public static final int MAX_TERMS = 8;

  private final String text;
  private final char[] folded;

  /** How much of the term still holds where the next character does not. */
  private final int[] borders;

  private SearchTerm(String text) {
    this.text = text;
    this.folded = new char[text.length()];
    for (int i = 0; i < folded.length; i++) {
      folded[i] = fold(text.charAt(i));
    }
    this.borders = new int[folded.length];
    for (int at = 1, matched = 0; at < folded.length; at++) {
      matched = next(matched, folded[at]);
      borders[at] = matched;
    }
  }

  /**
   * Reads a term.
   *
   * @throws IllegalArgumentException with a sentence for the reader, if it is too long
   */
  public static SearchTerm of(String text) {
    if (text.length() > MAX_CHARS) {
      throw new IllegalArgumentException(
          "a term has "
              + text.length()
              + " characters, and at most "
              + MAX_CHARS
              + " are looked for: give a part of it");
    }
    return new SearchTerm(text);
  }

  /**
   * Reads terms.
   *
   * @throws IllegalArgumentException with a sentence for the reader, if one is too long, or if
   *     there are too many
   */
  public static List<SearchTerm> all(String... texts) {
    checkCount(texts.length);
    return Arrays.stream(texts).map(SearchTerm::of).toList();
  }

  /**
   * Checks how many terms there are.
   *
   * @throws IllegalArgumentException with a sentence for the reader, if there are too many
   */
  public static void checkCount(int terms) {
    if (terms > MAX_TERMS) {
      throw new IllegalArgumentException(
          "at most " + MAX_TERMS + " terms are looked for, and these are " + terms);
    }
  }

  /** As it was given. */
  public String text() {
    return text;
  }

  /** Whether it is part of a text; it is of none that is null. */
  public boolean isIn(@Nullable String value) {
    if (value == null || value.length() < folded.length) {
      return false;
    }
    int matched = 0;
    for (int at = 0; at < value.length() && matched < folded.length; at++) {
      matched = next(matched, fold(value.charAt(at)));
    }
    return matched == folded.length;
  }

  private int next(int matched, char c) {
    int now = matched;
    while (now > 0 && folded[now] != c) {
      now = borders[now - 1];
    }
    return folded[now] == c ? now + 1 : 0;
  }

  /** As {@link String#regionMatches(boolean, int, String, int, int)} does. */
  private static char fold(char c) {
    if (c < 0x80) {
      return c >= 'A' && c <= 'Z' ? (char) (c + ('a' - 'A')) : c;
    }
    return Character.toLowerCase(Character.toUpperCase(c));
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof SearchTerm term && term.text.equals(text);
  }

  @Override
  public int hashCode() {
    return text.hashCode();
  }

  @Override
  public String toString() {
    return text;
  }
}
