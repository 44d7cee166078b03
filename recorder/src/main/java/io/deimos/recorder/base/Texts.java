// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/**
 * Gives an end to texts that come from outside. Pekko lets an actor's name be as long as its maker
 * likes, and peers name actors, too; what waits, is kept or is printed has a bound in bytes only if
 * each of its texts has one.
 */
public final class Texts {
  private Texts() {}

  /** The text, or its beginning if it is longer than {@code most} characters. */
  public static String cut(String text, int most) {
    return text.length() <= most ? text : start(text, most) + "…";
  }

  /** The first characters; never half of one that takes two. */
  public static String start(String text, int most) {
    int end = Character.isHighSurrogate(text.charAt(most - 1)) ? most - 1 : most;
    return text.substring(0, end);
  }
}
