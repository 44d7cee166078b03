// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.Map;

/**
 * All traces that this process has recorded, whether they are kept or not.
 *
 * @param sinceEpochNanos since when
 * @param traces how many root spans there were
 * @param trouble in how many traces something went wrong, as far as these were kept for it
 * @param others how many of the traces have names that are not told apart
 * @param byName those of each name
 */
public record RecordedTraces(
    long sinceEpochNanos, long traces, long trouble, long others, Map<String, Counted> byName) {

  /**
   * Those of one name.
   *
   * @param traces how many root spans there were
   * @param trouble in how many traces something went wrong
   * @param measured of how many the duration is known
   * @param p50Nanos half of these took no longer, about; 0 if there are none
   * @param p99Nanos the same for 99 of 100
   */
  public record Counted(long traces, long trouble, long measured, long p50Nanos, long p99Nanos) {}
}
