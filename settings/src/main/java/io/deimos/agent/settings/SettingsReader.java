// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import com.typesafe.config.ConfigException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes {@link Settings} of layers, of which a later one goes before an earlier. A value that
 * cannot be used is told in one message that names the key, its value and the way out, and counts
 * as not given.
 */
public final class SettingsReader {
  private static final String ALL_ARE_LISTED =
      "take it away, or see docs/settings.md or the page's Settings for all there are";

  private static final int LONGEST_GUESSED = 200;

  private final List<Layer> layers;
  private final Consumer<String> problems;

  /**
   * @param layers the weakest first
   * @param problems told one sentence for each setting that cannot be used
   */
  public SettingsReader(List<Layer> layers, Consumer<String> problems) {
    this.layers = List.copyOf(layers);
    this.problems = problems;
  }

  public Settings read() {
    Map<Key<?>, Object> values = new HashMap<>();
    Set<Key<?>> given = new HashSet<>();
    for (Key<?> key : Keys.all()) {
      Object value = value(key);
      if (value != null) {
        values.put(key, value);
        given.add(key);
      }
    }
    layers.forEach(this::tellUnknown);
    PageMemory.shareOut(values, Runtime.getRuntime().maxMemory());
    return new Settings(values, given);
  }

  /** The strongest value, or null if there is none, or none that can be used. */
  private @Nullable Object value(Key<?> key) {
    for (int i = layers.size() - 1; i >= 0; i--) {
      Given given = layers.get(i).given(key);
      if (given != null) {
        return parsed(key, given);
      }
    }
    return null;
  }

  private @Nullable Object parsed(Key<?> key, Given given) {
    try {
      return key.type().parse().apply(given.value());
    } catch (ConfigException | IllegalArgumentException e) {
      problems.accept(
          given.shown() + key.type().refusal(e) + "; using " + ValueType.show(key.otherwise()));
      return null;
    }
  }

  private void tellUnknown(Layer layer) {
    for (Given given : layer.all()) {
      if (Keys.named(given.name()) == null) {
        String near = nearest(given);
        problems.accept(
            given.named()
                + ": there is no such setting; "
                + (near == null ? ALL_ARE_LISTED : "did you mean " + near + "?"));
      }
    }
  }

  /** The setting that was most likely meant, or null if none is near enough to be a guess. */
  private static @Nullable String nearest(Given unknown) {
    String name = Keys.canonical(unknown.name());
    if (name.length() > LONGEST_GUESSED) {
      return null;
    }
    Key<?> best = Keys.ENABLED;
    int least = Integer.MAX_VALUE;
    for (Key<?> key : Keys.all()) {
      String known = Keys.canonical(key.name());
      // If two are as far away, the one that begins in the same way is nearer.
      int distance = 64 * Spelling.distance(name, known) - commonPrefix(name, known);
      if (distance < least) {
        least = distance;
        best = key;
      }
    }
    int ours = name.length() - "deimos.".length();
    if (Spelling.distance(name, Keys.canonical(best.name())) > Math.max(2, ours / 3)) {
      return null;
    }
    boolean isVariable = unknown.name().equals(unknown.name().toUpperCase(Locale.ROOT));
    return isVariable ? best.variable() : best.name();
  }

  private static int commonPrefix(String one, String other) {
    int at = 0;
    while (at < Math.min(one.length(), other.length()) && one.charAt(at) == other.charAt(at)) {
      at++;
    }
    return Math.min(at, 63);
  }
}
