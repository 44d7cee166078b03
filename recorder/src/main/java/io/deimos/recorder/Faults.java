// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Failures of our own code in woven methods. They never leave it: they are counted, and the first
 * is kept for the report. Safe for any thread.
 */
public final class Faults {
  private static final AtomicLong COUNT = new AtomicLong();

  @SuppressWarnings("StaticAssignmentOfThrowable") // kept to be reported, never thrown
  private static volatile @Nullable Throwable first;

  private Faults() {}

  /** What woven code calls in place of throwing. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  public static void caught(Throwable fault) {
    if (COUNT.getAndIncrement() == 0) {
      first = fault;
    }
  }

  public static long count() {
    return COUNT.get();
  }

  /** The first failure, or null if there has been none. */
  public static @Nullable Throwable first() {
    return first;
  }
}
