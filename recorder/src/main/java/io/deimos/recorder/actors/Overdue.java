// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.actors;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;

/**
 * The first actor system, if it has actors but was not seen to start in time: either the hook for
 * that is missing, or the start takes long. It is told of once, whichever it is. Safe for any
 * thread.
 */
final class Overdue {
  /** From its first actor on. */
  static final long AFTER_NANOS = 10_000_000_000L;

  private @Nullable WeakReference<Object> first;
  private @Nullable WeakReference<Object> told;
  private long metNanos;

  /** A system makes an actor; only the first one counts. */
  synchronized void met(Object system, long nowNanos) {
    if (first == null) {
      first = new WeakReference<>(system);
      metNanos = nowNanos;
    }
  }

  /** The system that is to be told of now though it has not been seen to start, or null. */
  synchronized @Nullable Object at(long nowNanos) {
    Object system = first == null || told != null ? null : first.get();
    if (system == null || nowNanos - metNanos < AFTER_NANOS) {
      return null;
    }
    told = first;
    return system;
  }

  /**
   * A system has been seen to start, so that none is overdue any more.
   *
   * @return false if it was told of before
   */
  synchronized boolean started(Object system) {
    boolean early = told != null && told.get() == system;
    told = new WeakReference<>(system);
    return !early;
  }
}
