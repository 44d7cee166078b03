// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The few of many things that are told by themselves: those that grow most, looked at anew each
 * time. One that grew is forgotten by half each time, and has to grow twice as much as one of the
 * few to take its place, so that the few do not change without need. Not for use by two threads.
 */
public final class Heaviest<K> {
  /** So little is no reason to change anything. */
  private static final long FEW = 16;

  private final int most;
  private final Map<K, Long> scores = new HashMap<>();
  private final Set<K> few = new HashSet<>();

  /**
   * @param most how many may be told by themselves; 1 or more
   */
  public Heaviest(int most) {
    this.most = most;
  }

  /**
   * Chooses.
   *
   * @param grown by how much each thing that is there has grown since the last time
   */
  public Set<K> of(Map<K, Long> grown) {
    scores.keySet().retainAll(grown.keySet());
    few.retainAll(grown.keySet());
    grown.forEach((thing, by) -> scores.merge(thing, by, (score, n) -> Math.max(score / 2, n)));
    List<K> rising = sorted(scores.keySet());
    rising.removeAll(few);
    for (K thing : rising) {
      if (few.size() < most) {
        few.add(thing);
      } else if (!replaced(thing)) {
        break;
      }
    }
    return Set.copyOf(few);
  }

  private boolean replaced(K by) {
    List<K> falling = sorted(few);
    K least = falling.get(falling.size() - 1);
    if (score(by) <= 2 * score(least) + FEW) {
      return false;
    }
    few.remove(least);
    few.add(by);
    return true;
  }

  private List<K> sorted(Collection<K> things) {
    List<K> sorted = new ArrayList<>(things);
    sorted.sort(Comparator.comparingLong(this::score).reversed());
    return sorted;
  }

  private long score(K thing) {
    return scores.getOrDefault(thing, 0L);
  }
}
