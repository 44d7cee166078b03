// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Chooses among the ordinary traces of one round. Each root name gets the same share, and what a
 * rare name leaves goes to the others. Traces of a single span get a tenth of the round for each
 * name, so that ticks do not crowd out the work. Half of a name's share goes to its slowest traces.
 */
final class FairShare {
  /** The part of a round that traces of one span of one name may take, as a divisor. */
  private static final int SINGLES = 10;

  private FairShare() {}

  /**
   * Chooses what is kept.
   *
   * @param due in the order in which they began
   * @param quota how many may be kept, 0 or more
   */
  static Set<KeptTrace> choose(List<KeptTrace> due, int quota) {
    if (due.size() <= quota) {
      return new HashSet<>(due);
    }
    Map<String, List<KeptTrace>> byName = new LinkedHashMap<>();
    for (KeptTrace trace : due) {
      byName.computeIfAbsent(trace.name(), name -> new ArrayList<>()).add(trace);
    }
    List<List<KeptTrace>> names = new ArrayList<>(byName.values());
    names.sort(Comparator.comparingInt(named -> wanted(named, quota)));
    Set<KeptTrace> chosen = new HashSet<>();
    int left = quota;
    for (int i = 0; i < names.size(); i++) {
      List<KeptTrace> named = names.get(i);
      int share = Math.min(wanted(named, quota), left / (names.size() - i));
      if (share == 0 && left > 0) {
        share = 1; // more names than places: the rarest come first
      }
      take(named, share, chosen);
      left -= share;
    }
    return chosen;
  }

  private static int wanted(List<KeptTrace> named, int quota) {
    boolean single = named.stream().allMatch(trace -> trace.size() == 1);
    return single ? Math.min(named.size(), Math.max(1, quota / SINGLES)) : named.size();
  }

  private static void take(List<KeptTrace> named, int share, Set<KeptTrace> into) {
    if (share >= named.size()) {
      into.addAll(named);
      return;
    }
    List<KeptTrace> slowest = new ArrayList<>(named);
    slowest.sort(Comparator.comparingLong(KeptTrace::durationNanos).reversed());
    into.addAll(slowest.subList(0, (share + 1) / 2));
    int more = share / 2;
    for (int i = named.size() - 1; i >= 0 && more > 0; i--) {
      if (into.add(named.get(i))) {
        more--;
      }
    }
  }
}
