// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.control;

import java.util.function.Consumer;

/**
 * Whether exceptions are events of their spans, log records, or both: {@code
 * OTEL_SEMCONV_EXCEPTION_SIGNAL_OPT_IN}, as the semantic conventions have it, or the name that the
 * agent's own instrumentations have for it. Safe for any thread.
 */
public final class ExceptionSignal {
  private static final String KEY = "otel.semconv.exception.signal.opt-in";
  private static final String AGENTS_KEY = "otel.semconv.exception.signal.preview";
  private static final String LOGS = "logs";
  private static final String BOTH = "logs/dup";

  private static volatile String wanted = "";
  private static volatile boolean records;

  private ExceptionSignal() {}

  /**
   * Reads what the user asks for.
   *
   * @param problems told if it is nothing that there is
   */
  public static void read(Consumer<String> problems) {
    String given = given(KEY);
    String key = given.isEmpty() ? AGENTS_KEY : KEY;
    ask(given.isEmpty() ? given(AGENTS_KEY) : given, key, problems);
  }

  /** As {@link #read}, for a value of a key. */
  public static void ask(String given, String key, Consumer<String> problems) {
    if (!given.isEmpty() && !given.equals(LOGS) && !given.equals(BOTH)) {
      problems.accept(
          key
              + "="
              + given
              + " is not logs or logs/dup; exceptions stay events of their spans. Set one of the"
              + " two, or remove it");
      wanted = "";
      return;
    }
    wanted = given;
  }

  private static String given(String key) {
    String property = System.getProperty(key);
    String variable = System.getenv(key.toUpperCase(java.util.Locale.ROOT).replaceAll("[.-]", "_"));
    String value = property != null ? property : variable;
    return value == null ? "" : value.trim();
  }

  /** Whether there are log records at all; while there are none, exceptions stay on spans. */
  public static void recordsAre(boolean on) {
    records = on;
  }

  /** Whether exported spans have the event {@code exception}. */
  public static boolean isOnSpans() {
    return !records || !wanted.equals(LOGS);
  }

  /** Whether exceptions are log records. */
  public static boolean isInRecords() {
    return records && !wanted.isEmpty();
  }
}
