// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.start;

/**
 * How far the start has come. The OpenTelemetry agent tells nobody that it failed; whoever started
 * it finds that out here. Written by the thread that starts the JVM, read by any.
 */
public final class Progress {
  private static volatile boolean hasBegun;
  private static volatile boolean isReady;

  private Progress() {}

  /** Our settings are read, and something is to be recorded. */
  public static void begun() {
    hasBegun = true;
  }

  /** The agent's start has come to its end. */
  public static void ready() {
    isReady = true;
  }

  /**
   * Whether the start began and never came to its end. Called by name, from another class loader.
   */
  public static boolean isHalfway() {
    return hasBegun && !isReady;
  }
}
