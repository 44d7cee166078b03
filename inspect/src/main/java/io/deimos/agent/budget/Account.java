// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.util.function.LongSupplier;

/** The processor time of the requests of one kind. Safe for any thread. */
final class Account {
  private static final int SECONDS = 60;

  private final LongSupplier nanoTime;
  private final long begun;
  private final long[] bySecond = new long[SECONDS];
  private long second;
  private long requests;
  private long nanos;
  private long refused;
  private long cut;
  private long cancelled;

  Account(LongSupplier nanoTime) {
    this.nanoTime = nanoTime;
    this.begun = nanoTime.getAsLong();
  }

  /** One request has taken this much of a processor. */
  synchronized void add(long took) {
    tick();
    requests++;
    nanos += took;
    bySecond[(int) (second % SECONDS)] += took;
  }

  synchronized void refused() {
    refused++;
  }

  synchronized void cut() {
    cut++;
  }

  synchronized void cancelled() {
    cancelled++;
  }

  synchronized Accountant.Taken read() {
    tick();
    long ofMinute = 0;
    for (long one : bySecond) {
      ofMinute += one;
    }
    return new Accountant.Taken(requests, ofMinute, nanos, refused, cut, cancelled);
  }

  /** Forgets the seconds that are more than a minute ago. */
  private void tick() {
    long now = (nanoTime.getAsLong() - begun) / 1_000_000_000L;
    for (long gone = Math.max(second + 1, now - SECONDS + 1); gone <= now; gone++) {
      bySecond[(int) (gone % SECONDS)] = 0;
    }
    second = Math.max(second, now);
  }
}
