// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Offers samples the records of their threads that are near them in time. */
final class SampleJoin {
  private final Map<Long, List<Sample>> byThread = new HashMap<>();
  private final long nearNanos;

  /**
   * For samples with their times.
   *
   * @param nearNanos how far a record may be away
   */
  SampleJoin(List<Sample> samples, long nearNanos) {
    this.nearNanos = nearNanos;
    for (Sample sample : samples) {
      add(sample);
      if (sample.owner != null) {
        add(sample.owner);
      }
    }
    byThread.values().forEach(of -> of.sort(Comparator.comparingLong(sample -> sample.time)));
  }

  private void add(Sample sample) {
    byThread.computeIfAbsent(sample.seen.threadId(), any -> new ArrayList<>()).add(sample);
  }

  void offer(long threadId, long start, long end, int row, long spanId) {
    List<Sample> samples = byThread.get(threadId);
    if (samples == null) {
      return;
    }
    for (int i = firstFrom(samples, start - nearNanos); i < samples.size(); i++) {
      Sample sample = samples.get(i);
      if (sample.time > end + nearNanos) {
        return;
      }
      sample.offer(start, end, row, spanId);
    }
  }

  private static int firstFrom(List<Sample> samples, long time) {
    int low = 0;
    int high = samples.size();
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (samples.get(middle).time < time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  /** The samples of one thread; null if it has none. */
  @Nullable List<Sample> of(long threadId) {
    return byThread.get(threadId);
  }
}
