// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Calls the housekeeping thread, which lies in a room above, before its pause has ended. Safe for
 * any thread; never waits.
 */
public final class HousekeepingCall {
  private static volatile @Nullable Thread thread;
  private static volatile boolean wanted;

  private HousekeepingCall() {}

  /** Sets who is called. */
  public static void answeredBy(Thread housekeeping) {
    thread = housekeeping;
  }

  /** There is something to do. */
  public static void wake() {
    wanted = true;
    LockSupport.unpark(thread);
  }

  /** Forgets earlier calls: what they are about is looked at now. By housekeeping. */
  public static void begin() {
    wanted = false;
  }

  /** Whether somebody has called since {@link #begin}. */
  public static boolean isWanted() {
    return wanted;
  }
}
