// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import io.deimos.recorder.base.Faults;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/**
 * The words on a setting: what it does, and what it costs. They are in {@code keys.md}, which is
 * read when somebody first asks.
 */
public record KeyText(String does, String costs) {
  private static final String HEADING = "\n## ";
  private static final String COST = "\n\nCost: ";
  private static final KeyText NONE = new KeyText("", "");

  private static final class All {
    static final Map<String, KeyText> BY_NAME = read();
  }

  public static KeyText of(Key<?> key) {
    return All.BY_NAME.getOrDefault(key.name(), NONE);
  }

  /** By the names of the settings. */
  static Map<String, KeyText> all() {
    return All.BY_NAME;
  }

  private static Map<String, KeyText> read() {
    Map<String, KeyText> all = new HashMap<>();
    try (InputStream in = KeyText.class.getResourceAsStream("keys.md")) {
      String text = in == null ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8);
      String[] sections = text.split(HEADING, -1);
      for (int i = 1; i < sections.length; i++) {
        String section = sections[i];
        int name = section.indexOf('\n');
        int cost = section.indexOf(COST);
        all.put(
            section.substring(0, name),
            new KeyText(
                line(section.substring(name, cost)),
                line(section.substring(cost + COST.length()))));
      }
    } catch (IOException | IndexOutOfBoundsException e) {
      Faults.caught(e);
    }
    return Map.copyOf(all);
  }

  private static String line(String wrapped) {
    return wrapped.strip().replace('\n', ' ');
  }
}
