// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.cli;

/** Guesses which of several names was meant by one that is none of them. */
final class Nearest {
  private static final int MAX_LENGTH = 40;

  private Nearest() {}

  /** The end of a message: {@code ; did you mean actors?}, or nothing if no name is near. */
  static String hint(String given, Iterable<String> names) {
    String best = "";
    int least = Math.max(1, Math.min(given.length(), MAX_LENGTH) / 3) + 1;
    for (String name : names) {
      int distance = given.length() > MAX_LENGTH ? least : distance(given, name);
      if (distance < least) {
        least = distance;
        best = name;
      }
    }
    return best.isEmpty() ? "" : "; did you mean " + best + "?";
  }

  /** How many letters to add, drop or change to get from one to the other (Levenshtein). */
  static int distance(String from, String to) {
    int[] row = new int[to.length() + 1];
    for (int j = 0; j <= to.length(); j++) {
      row[j] = j;
    }
    for (int i = 1; i <= from.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j <= to.length(); j++) {
        int change = diagonal + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(change, Math.min(row[j], row[j - 1]) + 1);
      }
    }
    return row[to.length()];
  }
}
