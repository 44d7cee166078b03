// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

/**
 * One event of the flight recorder.
 *
 * @param threadId as the JVM numbers its threads
 * @param epochNanos when it ended, by the flight recorder's clock
 * @param weight how much it stands for: nanoseconds, or bytes
 * @param on the lock, the address, the file or the class that it is about; may be empty
 * @param ownerId the thread that held the lock before; 0 if it is not known
 * @param owner that thread's name
 */
record Seen(
    Part part, long threadId, long epochNanos, long weight, String on, long ownerId, String owner) {
  /** Between two samples of a thread. */
  static final long PERIOD_NANOS = 10_000_000;

  /** A sample of a thread that runs. */
  static Seen running(long threadId, long epochNanos) {
    return new Seen(Part.CPU, threadId, epochNanos, PERIOD_NANOS, "", 0, "");
  }

  /** When its thread was certainly in it: clocks are compared to some microseconds. */
  long middle() {
    return part.isWait() ? epochNanos - weight / 2 : epochNanos;
  }

  /** The same wait, as one of the thread that held the lock. */
  Seen ofOwner() {
    return new Seen(part, ownerId, epochNanos, weight, on, 0, "");
  }
}
