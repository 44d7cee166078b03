// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package soak;

import java.util.concurrent.atomic.LongAdder;

/** The counts of a node so far. */
final class Counts {
  final LongAdder sent = new LongAdder();
  final LongAdder answered = new LongAdder();
  final LongAdder unanswered = new LongAdder();
  final LongAdder booked = new LongAdder();
  final LongAdder moves = new LongAdder();

  @Override
  public String toString() {
    return "sent="
        + sent
        + " answered="
        + answered
        + " unanswered="
        + unanswered
        + " booked="
        + booked
        + " moves="
        + moves;
  }
}
