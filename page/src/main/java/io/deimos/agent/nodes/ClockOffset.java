// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

/**
 * By how much the clock of a process is ahead of the page's.
 *
 * @param nanos ahead; negative if it is behind
 * @param errorNanos no further than this from the truth
 */
public record ClockOffset(long nanos, long errorNanos) {
  /** The correction of times of the process: nothing while it may as well be none. */
  public long correction() {
    return Math.abs(nanos) > errorNanos ? nanos : 0;
  }
}
