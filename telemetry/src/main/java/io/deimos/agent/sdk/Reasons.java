// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import io.deimos.agent.log.Printable;
import io.deimos.recorder.base.Texts;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** The words of an exception and its causes, as one sentence for the log. */
public final class Reasons {
  private static final int MOST = 10;

  /** The rest of the line has room, too. */
  private static final int MAX_CHARACTERS = 800;

  private static final String OTEL = "otel.";

  /** A shorter value stands in many sentences by chance. */
  private static final int SHORTEST = 3;

  /** How many settings are named that have the same value. */
  private static final int MAX_SETTINGS = 3;

  private Reasons() {}

  /** Each of them once, the outermost first; cut if it is long. */
  public static String of(Throwable failure) {
    return Texts.cut(Printable.line(all(failure)), MAX_CHARACTERS);
  }

  /**
   * The settings to be corrected: those of OpenTelemetry whose value stands in what is said, the
   * longest such value. The SDK itself says a value, and no key.
   *
   * @param properties the system's, which go before variables
   */
  public static String culprit(
      Throwable failure, Map<String, String> properties, Map<String, String> environment) {
    Map<String, String> shown = new TreeMap<>();
    Map<String, String> values = new TreeMap<>();
    environment.forEach(
        (variable, value) -> {
          String key = variable.toLowerCase(Locale.ROOT).replace('_', '.');
          shown.put(key, key + " (" + variable + ")");
          values.put(key, value.strip());
        });
    properties.forEach(
        (key, value) -> {
          shown.put(key, key);
          values.put(key, value.strip());
        });
    String said = all(failure);
    values
        .entrySet()
        .removeIf(one -> !one.getKey().startsWith(OTEL) || !isNamed(one.getValue(), said));
    int longest = values.values().stream().mapToInt(String::length).max().orElse(0);
    List<String> found =
        values.keySet().stream()
            .filter(key -> values.getOrDefault(key, "").length() == longest)
            .limit(MAX_SETTINGS)
            .map(key -> Printable.shortLine(shown.getOrDefault(key, key)))
            .toList();
    return found.isEmpty() ? "what it names" : String.join(" or ", found);
  }

  /** Whether it stands there, and not as a part of a word. */
  private static boolean isNamed(String value, String in) {
    if (value.length() < SHORTEST) {
      return false;
    }
    for (int at = in.indexOf(value); at >= 0; at = in.indexOf(value, at + 1)) {
      int end = at + value.length();
      if ((at == 0 || !Character.isLetterOrDigit(in.charAt(at - 1)))
          && (end == in.length() || !Character.isLetterOrDigit(in.charAt(end)))) {
        return true;
      }
    }
    return false;
  }

  private static String all(Throwable failure) {
    Set<String> said = new LinkedHashSet<>();
    Throwable at = failure;
    for (int i = 0; i < MOST && at != null; i++) {
      String message = at.getMessage();
      Throwable cause = at.getCause();
      boolean isCausesOwn = cause != null && cause.toString().equals(message);
      if (!isCausesOwn) {
        said.add(message == null || message.isBlank() ? at.getClass().getName() : message);
      }
      at = cause;
    }
    return String.join(": ", said);
  }
}
