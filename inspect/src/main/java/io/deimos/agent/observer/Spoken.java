// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.Locale;

/** Puts in words how long something took, and what became of a message. */
final class Spoken {
  private Spoken() {}

  /** As {@code 2.1 ms}. */
  static String time(long nanos) {
    if (nanos < 1_000) {
      return nanos + " ns";
    }
    if (nanos < 1_000_000) {
      return number(nanos / 1e3) + " µs";
    }
    return nanos < 1_000_000_000 ? number(nanos / 1e6) + " ms" : number(nanos / 1e9) + " s";
  }

  private static String number(double value) {
    return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
  }

  /** Which of those that wait, as {@code the 3rd}. */
  static String place(int position) {
    int last = position % 100 / 10 == 1 ? 0 : position % 10;
    String ending = last == 1 ? "st" : last == 2 ? "nd" : last == 3 ? "rd" : "th";
    return position == 1 ? "the next" : "the " + position + ending;
  }

  /** Whoever sent it, before it or after. */
  static String by(String senderPath) {
    return senderPath.isEmpty() ? "" : ", sent by " + Stories.path(senderPath);
  }

  /** An actor by its path, or by its class if it has stopped and is only known by that. */
  static String actor(String path, String className) {
    if (!path.isEmpty()) {
      return Stories.path(path);
    }
    return className.isEmpty() ? "an actor" : "an actor of " + Stories.name(className);
  }
}
