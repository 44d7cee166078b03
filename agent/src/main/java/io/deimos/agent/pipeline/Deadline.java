// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.pipeline;

import java.util.concurrent.TimeUnit;

/**
 * The moment by which several steps must be over, however they share the time until then.
 *
 * @param nanos as of {@link System#nanoTime}
 */
public record Deadline(long nanos) {
  public static Deadline in(long millis) {
    return new Deadline(System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis));
  }

  /** The time left to a step that leaves this much to those after it; 1 or more. */
  public long leftMillis(long reservedMillis) {
    long left = TimeUnit.NANOSECONDS.toMillis(nanos - System.nanoTime());
    return Math.max(1, left - reservedMillis);
  }
}
