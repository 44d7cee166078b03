// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.bootstrap;

import org.jspecify.annotations.Nullable;

/**
 * How far the start has come. The OpenTelemetry agent tells nobody that it failed; whoever started
 * it finds that out here. Written by the thread that starts the JVM, read by any.
 */
public final class Progress {
  private static volatile @Nullable Runnable stop;
  private static volatile boolean isReady;

  private Progress() {}

  /**
   * Our settings are read, and something is to be recorded.
   *
   * @param toStop has nothing recorded any more
   */
  public static void begun(Runnable toStop) {
    stop = toStop;
  }

  /** The agent's start has come to its end. */
  public static void ready() {
    isReady = true;
  }

  /**
   * Has nothing recorded if the start began and never came to its end: what is woven by then would
   * fill rings that nobody reads. Called by name, from another class loader.
   *
   * @return whether that was so
   */
  public static boolean stopHalfway() {
    Runnable recording = stop;
    if (recording == null || isReady) {
      return false;
    }
    recording.run();
    return true;
  }
}
