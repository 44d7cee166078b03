// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.budget;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** The processor time of the current thread. */
final class ThreadTime {
  /** Loaded with the first request: the JVM's management is a hundred classes. */
  private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

  private static final boolean IS_KNOWN = THREADS.isCurrentThreadCpuTimeSupported();

  private ThreadTime() {}

  /** In nanoseconds; where the JVM does not say, the time. */
  static long nanos() {
    long nanos = IS_KNOWN ? THREADS.getCurrentThreadCpuTime() : -1;
    return nanos < 0 ? System.nanoTime() : nanos;
  }
}
