// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** How long asks took, apart for each site and time-out. */
final class Timings {
  private final Map<Key, Times> all = new HashMap<>();

  void add(AskSite site, MessageRecord ask) {
    all.computeIfAbsent(new Key(site, ask.waitNanos()), key -> new Times()).add(ask);
  }

  List<AsksSeen.Timed> all() {
    return all.entrySet().stream().map(e -> e.getValue().read(e.getKey())).toList();
  }

  private record Key(AskSite site, long timeoutNanos) {}

  private static final class Times {
    private final AskJoin.Counted count = new AskJoin.Counted();
    private final List<Long> answered = new ArrayList<>();
    private int timedOut;
    private long slowest = -1;

    void add(MessageRecord ask) {
      count.add(ask);
      if (ask.hasFailed()) {
        timedOut++;
      } else {
        answered.add(ask.nanos());
        if (ask.nanos() > slowest) {
          slowest = ask.nanos();
          count.example(ask);
        }
      }
    }

    AsksSeen.Timed read(Key of) {
      long[] sorted = answered.stream().mapToLong(Long::longValue).toArray();
      Arrays.sort(sorted);
      long p99 = sorted.length == 0 ? 0 : sorted[(int) Math.ceil(sorted.length * 0.99) - 1];
      return new AsksSeen.Timed(
          of.site(), of.timeoutNanos(), sorted.length, timedOut, p99, count.read());
    }
  }
}
