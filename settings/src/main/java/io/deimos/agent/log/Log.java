// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.log;

/**
 * Tells what happens, line by line, in the one form in which Deimos speaks. Safe for any thread.
 */
public final class Log {
  private static final LineWriter WRITER = new LineWriter(Log::write);

  private Log() {}

  /** Writes one line, marked {@code deimos:}, whatever is in it. */
  public static void line(String line) {
    marked("deimos: " + Printable.line(line));
  }

  /** Writes a line that is marked already, and has nothing in it that could forge another. */
  static void marked(String line) {
    WRITER.accept(line);
  }

  /** How many lines were left out, since standard error took none. */
  public static long leftOut() {
    return WRITER.leftOut();
  }

  @SuppressWarnings("SystemOut")
  private static void write(String line) {
    System.err.println(line);
  }
}
