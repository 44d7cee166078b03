// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.processes;

import io.deimos.agent.processes.ClashFinder.Claim;
import io.deimos.agent.processes.ClashFinder.Topic;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A contradiction of the last look, and since when each claim of it is known. */
record Held(Topic topic, List<Claim> claims, long sinceMillis, Map<String, First> firsts) {
  record First(long readAtNanos, long millis) {}

  /**
   * @param before the same at the look before; null if there was none
   */
  static Held of(Topic topic, List<Claim> claims, @Nullable Held before, long nowMillis) {
    Map<String, First> firsts = new HashMap<>();
    for (Claim claim : claims) {
      First known = before == null ? null : before.firsts.get(key(claim));
      firsts.put(key(claim), known == null ? new First(claim.readAtNanos(), nowMillis) : known);
    }
    return new Held(topic, claims, before == null ? nowMillis : before.sinceMillis, firsts);
  }

  private static String key(Claim claim) {
    return String.join("\n", claim.process(), claim.address(), claim.side());
  }

  /** When a claim was heard first while somebody contradicted it, by the page's clock. */
  long sinceMillis(Claim claim) {
    First first = firsts.get(key(claim));
    return first == null ? sinceMillis : first.millis;
  }

  /** For how long at least two sides have repeated their claims. */
  long nanos() {
    Map<String, Long> ofSides = new HashMap<>();
    for (Claim claim : claims) {
      First first = firsts.get(key(claim));
      long repeated = first == null ? 0 : claim.readAtNanos() - first.readAtNanos;
      ofSides.merge(claim.side(), repeated, Math::max);
    }
    List<Long> longest = ofSides.values().stream().sorted(Comparator.reverseOrder()).toList();
    return longest.get(1);
  }
}
