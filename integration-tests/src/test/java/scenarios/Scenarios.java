// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** All scenarios by name; the name is also that of the scenario's actor system. */
final class Scenarios {
  /** Looked through in this order; what stands behind the one sought is not even loaded. */
  private static final List<Consumer<Map<String, Scenario>>> GROUPS =
      List.of(
          Histories::addTo,
          Lifecycles::addTo,
          ClassicSending::addTo,
          ClassicAsks::addTo,
          Routing::addTo,
          Later::addTo,
          Supervision::addTo,
          TypedSending::addTo,
          TypedSupervision::addTo,
          Mailboxes::addTo,
          Dispatchers::addTo,
          UserSpans::addTo);

  private Scenarios() {}

  static Scenario named(String name) {
    Map<String, Scenario> seen = new TreeMap<>();
    for (Consumer<Map<String, Scenario>> group : GROUPS) {
      group.accept(seen);
      Scenario scenario = seen.get(name);
      if (scenario != null) {
        return scenario;
      }
    }
    throw new IllegalArgumentException("no scenario " + name + "; there are " + seen.keySet());
  }
}
