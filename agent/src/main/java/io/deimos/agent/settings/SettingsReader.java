// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@link Settings}: a system property before an environment variable before the default. What
 * cannot be used is told in one message that names the key, its value and the way out, and counts
 * as not set.
 */
public final class SettingsReader {
  private static final String PREFIX = "deimos.";
  private static final String ENVIRONMENT_PREFIX = "DEIMOS_";
  private static final String HOST = "deimos.page.host";

  /** For tests of Deimos and for its own marks; nobody else sets them. */
  private static final String INTERNAL = "deimos.internal.";

  private static final String LAUNCHED = "deimos.launched";

  private final Map<String, String> given = new TreeMap<>();
  private final Map<String, String> sources = new TreeMap<>();
  private final Map<String, Boolean> known = new TreeMap<>();
  private final Consumer<String> problems;

  /**
   * @param properties the system properties
   * @param environment the environment's variables
   * @param problems told one sentence for each setting that cannot be used
   */
  public SettingsReader(
      Map<String, String> properties, Map<String, String> environment, Consumer<String> problems) {
    this.problems = problems;
    environment.forEach(
        (name, value) -> {
          if (name.startsWith(ENVIRONMENT_PREFIX)) {
            given.put(canonical(name), value);
            sources.put(canonical(name), name);
          }
        });
    properties.forEach(
        (name, value) -> {
          if (name.startsWith(PREFIX) && !name.startsWith(INTERNAL) && !name.equals(LAUNCHED)) {
            given.put(canonical(name), value);
            sources.put(canonical(name), name);
          }
        });
  }

  public Settings read() {
    Settings settings =
        new Settings(
            flag("deimos.enabled", true),
            flag("deimos.tracing.enabled", true),
            powerOfTwo("deimos.tracing.ring-capacity", 64, 1 << 20, 8192),
            number("deimos.tracing.backlog-capacity", 0, 1 << 24, 1 << 18),
            way("deimos.tracing.export"),
            flag("deimos.metrics.enabled", true),
            flag("deimos.page.enabled", true),
            number("deimos.page.port", 0, 65_535, 9797),
            number("deimos.page.traces-per-second", 1, 100_000, 50),
            number("deimos.page.spans-kept", 100, 10_000_000, 20_000),
            flag("deimos.self-test.enabled", true),
            text("deimos.report.file"));
    host();
    unknown();
    return settings;
  }

  /** {@code deimos.page.traces-per-second} and {@code DEIMOS_PAGE_TRACES_PER_SECOND} alike. */
  private static String canonical(String name) {
    return name.toLowerCase(Locale.ROOT).replace('_', '.').replace('-', '.');
  }

  private @Nullable String text(String key) {
    known.put(key, true);
    String value = given.get(canonical(key));
    return value == null || value.isBlank() ? null : value.strip();
  }

  private boolean flag(String key, boolean otherwise) {
    String value = text(key);
    if (value == null) {
      return otherwise;
    }
    if (value.equalsIgnoreCase("true") || value.equalsIgnoreCase("false")) {
      return Boolean.parseBoolean(value);
    }
    return unusable(key, value, "true or false", otherwise);
  }

  private int number(String key, int least, int most, int otherwise) {
    String value = text(key);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    return unusable(key, value, "a whole number in [" + least + ", " + most + "]", otherwise);
  }

  private int powerOfTwo(String key, int least, int most, int otherwise) {
    String value = text(key);
    if (value == null) {
      return otherwise;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least && number <= most && Integer.bitCount(number) == 1) {
        return number;
      }
    } catch (NumberFormatException e) {
      // said below
    }
    return unusable(key, value, "a power of two in [" + least + ", " + most + "]", otherwise);
  }

  private ExportWay way(String key) {
    String value = text(key);
    if (value == null) {
      return ExportWay.AUTO;
    }
    for (ExportWay way : ExportWay.values()) {
      if (way.name().equalsIgnoreCase(value)) {
        return way;
      }
    }
    return unusable(key, value, "auto, sdk or direct", ExportWay.AUTO);
  }

  private void host() {
    String host = text(HOST);
    if (host != null && !host.equals("127.0.0.1") && !host.equals("localhost")) {
      problems.accept(
          given(HOST)
              + "="
              + host
              + ": the page is served on 127.0.0.1 only; take the setting away, and reach the page"
              + " from elsewhere through a tunnel");
    }
  }

  private <T> T unusable(String key, String value, String wanted, T otherwise) {
    problems.accept(given(key) + "=" + value + " is not " + wanted + "; using " + otherwise);
    return otherwise;
  }

  /** The name under which the user gave a key. */
  private String given(String key) {
    return sources.getOrDefault(canonical(key), key);
  }

  private void unknown() {
    TreeSet<String> names = new TreeSet<>(given.keySet());
    known.keySet().forEach(key -> names.remove(canonical(key)));
    for (String name : names) {
      problems.accept(
          sources.get(name)
              + "="
              + given.get(name)
              + ": there is no such setting; did you mean "
              + nearest(name, sources.getOrDefault(name, name).startsWith(ENVIRONMENT_PREFIX))
              + "?");
    }
  }

  private String nearest(String name, boolean environment) {
    String best = "";
    int least = Integer.MAX_VALUE;
    for (String key : known.keySet()) {
      // Of two that are as far away, the one that begins in the same way is nearer.
      int distance = 64 * distance(name, canonical(key)) - commonPrefix(name, canonical(key));
      if (distance < least) {
        least = distance;
        best = key;
      }
    }
    return environment ? best.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_') : best;
  }

  private static int commonPrefix(String one, String other) {
    int at = 0;
    while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
      at++;
    }
    return Math.min(at, 63);
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
