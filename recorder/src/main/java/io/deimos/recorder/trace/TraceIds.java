// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trace;

import io.deimos.recorder.clock.Clock;

/**
 * The first half of a trace id: when the trace began, and of what else its id is made.
 *
 * <pre>
 *   bits 32-63  seconds since the epoch, as in ids of AWS X-Ray
 *   bits 16-31  of the lane, so that two lanes differ
 *   bits 0-15   of the second half and the seconds: what tells such an id from another's
 * </pre>
 *
 * So a node that sees a trace for the first time knows its age, and nothing travels beside the id.
 * The second half is random, as the W3C's flag says. Safe for any thread.
 */
public final class TraceIds {
  private static final long FACTOR = 0xD1342543DE82EF95L;
  private static final long DAY_SECONDS = 86_400;
  private static final long SECOND_NANOS = 1_000_000_000L;

  private TraceIds() {}

  /**
   * The first half of a trace id.
   *
   * @param low the second half
   * @param lane another number in each lane
   * @param second since the epoch, when the trace begins
   */
  public static long high(long low, long lane, long second) {
    return (second << 32) | (lane & 0xFFFF_0000L) | check(low, second);
  }

  private static long check(long low, long second) {
    return ((low ^ second) * FACTOR) >>> 48;
  }

  /**
   * The reading of {@link Clock#now} at which the trace with this id began; {@code now} if its id
   * does not say, or says that it is a day old: such a number is more likely chance.
   *
   * @param second since the epoch
   */
  static long since(long high, long low, long now, long second) {
    long age = second - (high >>> 32);
    boolean ours = age > 0 && age < DAY_SECONDS && (high & 0xFFFF) == check(low, high >>> 32);
    return ours ? (now - age * SECOND_NANOS) | 1L : now;
  }
}
