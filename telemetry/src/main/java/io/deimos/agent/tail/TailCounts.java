// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.LongAdder;

/**
 * The fate of the spans that tail sampling was given: all of ours are the sum of those kept, those
 * let go and those held. Those of other instrumentations count apart, but for those held. Written
 * by the drainer, read by any thread.
 */
public final class TailCounts {
  private final Map<TailReason, LongAdder> kept = new EnumMap<>(TailReason.class);
  private final Map<TailLoss, LongAdder> letGo = new EnumMap<>(TailLoss.class);
  private final LongAdder othersKept = new LongAdder();
  private final Map<TailLoss, LongAdder> othersLetGo = new EnumMap<>(TailLoss.class);
  private volatile int held;

  /** The counts of nothing yet. */
  public TailCounts() {
    for (TailReason reason : TailReason.values()) {
      kept.put(reason, new LongAdder());
    }
    for (TailLoss reason : TailLoss.values()) {
      letGo.put(reason, new LongAdder());
      othersLetGo.put(reason, new LongAdder());
    }
  }

  void kept(TailReason reason, int spans) {
    of(kept, reason).add(spans);
  }

  void letGo(TailLoss reason, int spans) {
    of(letGo, reason).add(spans);
  }

  void othersKept(int spans) {
    othersKept.add(spans);
  }

  void othersLetGo(TailLoss reason, int spans) {
    of(othersLetGo, reason).add(spans);
  }

  void held(int spans) {
    held = spans;
  }

  /** Spans of traces that are exported, by why the trace is. */
  public long kept(TailReason reason) {
    return of(kept, reason).sum();
  }

  /** Spans of traces that are not exported, by why not. */
  public long letGo(TailLoss reason) {
    return of(letGo, reason).sum();
  }

  /** Spans of other instrumentations that are exported. */
  public long othersKept() {
    return othersKept.sum();
  }

  /** Spans of other instrumentations that are not exported, by why not. */
  public long othersLetGo(TailLoss reason) {
    return of(othersLetGo, reason).sum();
  }

  public long letGo() {
    long sum = 0;
    for (TailLoss reason : TailLoss.values()) {
      sum += letGo(reason);
    }
    return sum;
  }

  /** Spans that wait for their trace to be decided, or for the exporter. */
  public int held() {
    return held;
  }

  /** All are there from the beginning. */
  private static <R> LongAdder of(Map<R, LongAdder> counts, R reason) {
    return Objects.requireNonNull(counts.get(reason));
  }
}
