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

  /** The agent has called us for the last time. */
  public static void ready() {
    isReady = true;
  }

  /** Whether the start came to an end in between. Called by name, from another class loader. */
  public static boolean isHalfway() {
    return hasBegun && !isReady;
  }
}
