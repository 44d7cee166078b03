// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.agent.nodes.ClusterCard.Rate;
import io.deimos.recorder.counts.Metric;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How many messages and bytes a second go to each other node, over the last eight to sixteen
 * seconds: what has been counted now, less what had been then. Safe for any thread.
 */
public final class LinkRates {
  private static final long SPAN_NANOS = TimeUnit.SECONDS.toNanos(8);
  private static final String OUT = "transmit";

  private Counts now = new Counts(0, Map.of(), Map.of());
  private Counts before = now;
  private Counts longBefore = now;

  /**
   * The counts at one time, by peer.
   *
   * @param nanos 0 if never
   */
  private record Counts(long nanos, Map<String, Long> messages, Map<String, Long> bytes) {}

  /** Looks at what has been counted. */
  void take(long nanos) {
    Counts taken = new Counts(nanos | 1, sent(Metric.REMOTE_MESSAGES), sent(Metric.REMOTE_BYTES));
    synchronized (this) {
      now = taken;
      if (before.nanos == 0 || taken.nanos - before.nanos >= SPAN_NANOS) {
        longBefore = before.nanos == 0 ? taken : before;
        before = taken;
      }
    }
  }

  private static Map<String, Long> sent(Metric metric) {
    Map<String, Long> sent = new HashMap<>();
    for (Map.Entry<List<String>, long[]> one : metric.tally().read().entrySet()) {
      if (one.getKey().get(1).equals(OUT)) {
        sent.put(one.getKey().get(0), one.getValue()[0]);
      }
    }
    return sent;
  }

  /** By the peer's address; empty at first. */
  public synchronized Map<String, Rate> perSecond() {
    Map<String, Rate> rates = new HashMap<>();
    double seconds = (now.nanos - longBefore.nanos) / 1e9;
    if (longBefore.nanos != 0 && seconds > 0) {
      now.messages.forEach(
          (peer, count) ->
              rates.put(
                  peer,
                  new Rate(
                      (count - longBefore.messages.getOrDefault(peer, 0L)) / seconds,
                      (now.bytes.getOrDefault(peer, 0L) - longBefore.bytes.getOrDefault(peer, 0L))
                          / seconds)));
    }
    return rates;
  }
}
