// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import org.jspecify.annotations.Nullable;

/**
 * Where one thread was at one moment, or for a while, and to which row it is counted as far as that
 * is known. The profile's thread's alone once it has been made.
 */
final class Sample {
  final Seen seen;

  /** For a lock, the same wait as one of the thread that held it. */
  final @Nullable Sample owner;

  /** Whether the stack is in the processing of a message, or may be. */
  final boolean inMessage;

  /** The row of the one of Pekko's own actors that its stack is in; below 0 for none. */
  final int pekkos;

  /** Its number in the table of stacks. */
  int stack;

  /** By the clock of records; 0 before the two clocks have been compared. */
  long time;

  /** The end of the nearest record so far; with 0, it spans the sample. */
  private long distance = Long.MAX_VALUE;

  private long start;
  private int row = -1;
  private long span;

  Sample(Seen seen, boolean inMessage, int pekkos, int stack) {
    this.seen = seen;
    this.owner = seen.ownerId() == 0 ? null : new Sample(seen.ofOwner(), true, -1, stack);
    this.inMessage = inMessage;
    this.pekkos = pekkos;
    this.stack = stack;
  }

  /** There is a record of its thread near it. If two span it, the one that began last counts. */
  void offer(long from, long to, int ofRow, long ofSpan) {
    long away = time < from ? from - time : Math.max(0, time - to);
    if (away < distance || (away == 0 && from > start)) {
      distance = away;
      start = from;
      row = ofRow;
      span = ofSpan;
    }
  }

  /** The row of a record that spans it; null if none is known yet. */
  @Nullable Integer spanned() {
    return distance == 0 ? (Integer) row : null;
  }

  /** The span of the record that its row is of; 0 if there is none. */
  long span() {
    return span;
  }

  /** The row of the record that is nearest to it; null if there is none. */
  @Nullable Integer nearest() {
    return row < 0 ? null : (Integer) row;
  }
}
