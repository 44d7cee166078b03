// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

/**
 * Tells what happens, line by line, in the one form in which Deimos speaks. Safe for any thread.
 */
public final class Log {
  private Log() {}

  /** Writes one line, marked {@code deimos:}, whatever is in it. */
  @SuppressWarnings("SystemOut")
  public static void line(String line) {
    System.err.println("deimos: " + Printable.line(line));
  }
}
