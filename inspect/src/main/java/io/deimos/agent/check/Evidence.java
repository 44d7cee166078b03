// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Settings;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The facts of one moment by their types, and the settings that say what is too much. Immutable.
 */
public final class Evidence {
  private final Settings settings;
  private final Map<Class<?>, List<Object>> byType;

  Evidence(Settings settings, Map<Class<?>, List<Object>> byType) {
    Map<Class<?>, List<Object>> copy = new HashMap<>();
    byType.forEach((type, facts) -> copy.put(type, List.copyOf(facts)));
    this.settings = settings;
    this.byType = copy;
  }

  /** Evidence of the given facts, as tests make it. */
  public static Evidence of(Settings settings, Object... facts) {
    Map<Class<?>, List<Object>> byType = new HashMap<>();
    for (Object fact : facts) {
      byType.computeIfAbsent(fact.getClass(), type -> new ArrayList<>()).add(fact);
    }
    return new Evidence(settings, byType);
  }

  /** The facts of a type, in the order in which they were given. */
  public <T> List<T> all(Class<T> type) {
    return byType.getOrDefault(type, List.of()).stream().map(type::cast).toList();
  }

  /** A threshold. */
  public <T> T get(Key<T> key) {
    return settings.get(key);
  }
}
