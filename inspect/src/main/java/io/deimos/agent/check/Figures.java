// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import java.util.Locale;

/** Numbers and names as they stand in sentences. */
public final class Figures {
  private Figures() {}

  /** As {@code 1,200}. */
  public static String count(long number) {
    return String.format(Locale.ROOT, "%,d", number);
  }

  /** A number with two digits that say something: {@code 1,200}, {@code 3.4}. */
  public static String rate(double number) {
    return Math.abs(number) < 10
        ? String.format(Locale.ROOT, "%.1f", number)
        : count(Math.round(number));
  }

  /** As {@code 12 %}. */
  public static String share(double share) {
    return Math.round(share * 100) + " %";
  }

  /** As {@code 1 restart} and {@code 2 restarts}. */
  public static String of(long number, String one) {
    return count(number) + ' ' + (number == 1 ? one : one + 's');
  }

  /** As {@code 250 ms}, {@code 2.1 s}, {@code 12 min}. */
  public static String time(long nanos) {
    double seconds = nanos / 1e9;
    if (seconds < 1) {
      return Math.round(seconds * 1000) + " ms";
    }
    return seconds < 120 ? rate(seconds) + " s" : Math.round(seconds / 60) + " min";
  }

  /** A class without its package. */
  public static String name(String className) {
    return className.substring(className.lastIndexOf('.') + 1).replace('$', '.');
  }

  /** An actor's path without its system: {@code /user/cart}. */
  public static String path(String path) {
    int slashes = path.indexOf("//");
    int slash = slashes < 0 ? -1 : path.indexOf('/', slashes + 2);
    return slash < 0 ? path : path.substring(slash);
  }
}
