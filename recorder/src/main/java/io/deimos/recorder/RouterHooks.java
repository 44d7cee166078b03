// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

/** What woven code calls when a router passes a message on. Safe for any thread. */
public final class RouterHooks {
  private static final int ONE_IN = 64;

  private RouterHooks() {}

  /** When a message's routing began; 0 if it is not timed, as most are not. */
  public static long begin() {
    ThreadState s = ThreadState.currentOrNewOfPlatform();
    return s != null && (s.fired[Fired.ROUTED.index]++ & (ONE_IN - 1)) == 0 ? Clock.now() : 0;
  }

  /**
   * It is routed.
   *
   * @param routeeClass class of the routees
   */
  public static void end(long begunNanos, String system, String routeeClass) {
    if (!routeeClass.startsWith("io.deimos.pekko.selftest.")) {
      Metric.ROUTING.tally().duration(Clock.now() - begunNanos, system, routeeClass);
    }
  }
}
