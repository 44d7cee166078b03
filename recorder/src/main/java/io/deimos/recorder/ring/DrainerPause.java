// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/** The pause of the drainer, which a ring that fills ends. Safe for any thread. */
public final class DrainerPause {
  private static volatile @Nullable Thread asleep;

  private DrainerPause() {}

  /** Pauses this thread, the drainer's, for so long or until it is woken. */
  public static void pause(Object blocker, long nanos) {
    asleep = Thread.currentThread();
    LockSupport.parkNanos(blocker, nanos);
    asleep = null;
  }

  /** Whether the drainer makes a pause. */
  public static boolean isOn() {
    return asleep != null;
  }

  /** Ends the pause of the drainer, if it makes one: a ring fills, or what waits beside them. */
  public static void end() {
    Thread sleeper = asleep;
    if (sleeper != null) {
      asleep = null;
      LockSupport.unpark(sleeper);
    }
  }
}
