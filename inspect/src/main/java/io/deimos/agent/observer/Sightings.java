// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Takes what one search finds: counts all, and keeps so many of each fate. */
final class Sightings {
  /** So many spans are known to have been found. */
  private static final int MAX_SPANS = 20_000;

  private static final Comparator<Sighting> LATEST_FIRST =
      Comparator.comparing(
          found -> found.times().atEpochNanos(), Comparator.nullsLast(Comparator.reverseOrder()));

  private final int limit;
  private final Map<Fate, Long> counts = new EnumMap<>(Fate.class);
  private final Map<Fate, List<Sighting>> kept = new EnumMap<>(Fate.class);

  /** The spans already found, so that the log or the traces do not tell it again. */
  private final Set<Long> spans = new HashSet<>();

  Sightings(int limit) {
    this.limit = limit;
  }

  /** Takes one more that no span of its own tells of; asks for it only if there is room. */
  void add(Fate fate, Supplier<Sighting> sighting) {
    add(fate, 0, sighting);
  }

  /**
   * Takes one more; asks for it only if there is room.
   *
   * @param spanId the message's own span; 0 if there is none, or it has not ended
   */
  void add(Fate fate, long spanId, Supplier<Sighting> sighting) {
    if (spanId != 0 && !(spans.size() < MAX_SPANS ? spans.add(spanId) : !spans.contains(spanId))) {
      return;
    }
    counts.merge(fate, 1L, Long::sum);
    List<Sighting> ofFate = kept.computeIfAbsent(fate, f -> new ArrayList<>());
    if (ofFate.size() < limit) {
      ofFate.add(sighting.get());
    }
  }

  Map<Fate, Long> counts() {
    return new EnumMap<>(counts);
  }

  /** The shown matches: at least its share of each fate, before one takes what others leave. */
  List<Sighting> shown() {
    List<Sighting> all = new ArrayList<>();
    for (List<Sighting> ofFate : kept.values()) {
      ofFate.sort(LATEST_FIRST);
    }
    int share = kept.isEmpty() ? 0 : Math.max(1, limit / kept.size());
    kept.values().forEach(of -> all.addAll(of.subList(0, Math.min(share, of.size()))));
    for (List<Sighting> ofFate : kept.values()) {
      int from = Math.min(share, ofFate.size());
      int more = Math.min(ofFate.size() - from, limit - all.size());
      all.addAll(ofFate.subList(from, from + Math.max(0, more)));
    }
    all.sort(Comparator.comparing(Sighting::fate).thenComparing(LATEST_FIRST));
    return List.copyOf(all.subList(0, Math.min(limit, all.size())));
  }
}
