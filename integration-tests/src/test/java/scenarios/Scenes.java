// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Scenarios by name, in the order in which they are to run, most of them with the traces that must
 * come of them. The name is also that of the scenario's actor system.
 */
public final class Scenes {
  private final Map<String, Scenario> scenarios = new LinkedHashMap<>();
  private final Map<String, String> traces = new LinkedHashMap<>();

  /** Those of some classes, such as {@code Later::addTo}. */
  @SafeVarargs
  public static Scenes of(Consumer<Scenes>... classes) {
    Scenes all = new Scenes();
    for (Consumer<Scenes> of : classes) {
      of.accept(all);
    }
    return all;
  }

  void add(String name, Scenario scenario) {
    scenarios.put(name, scenario);
  }

  /** One of which these traces must come, and no more. */
  void add(String name, Scenario scenario, String expected) {
    add(name, scenario);
    traces.put(name, expected);
  }

  /** One of which the same traces must come as of another. */
  void like(String other, String name, Scenario scenario) {
    add(name, scenario);
    traces.put(name, traces.get(other));
  }

  Scenario named(String name) {
    return scenarios.get(name);
  }

  public List<String> names() {
    return List.copyOf(scenarios.keySet());
  }

  /** Those that have some, by the names of their scenarios. */
  public Map<String, String> traces() {
    if (traces.containsValue(null)) {
      throw new IllegalStateException("like none of these: " + traces);
    }
    return new LinkedHashMap<>(traces);
  }
}
