// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.List;

/**
 * How long the messages of one row took, and for what. The parts of a message's time do not
 * overlap: while a thread waits, the collector does not hold it up.
 *
 * @param wallNanos all their time, from start to end; 0 where it is not known
 * @param cpuNanos by samples of threads that run
 * @param gcNanos in pauses of the collector
 * @param allocatedBytes of new objects, by samples
 * @param causes what they waited for the longest, the most first
 */
public record ProfileTimes(
    long wallNanos,
    long cpuNanos,
    Waits waits,
    long gcNanos,
    long allocatedBytes,
    List<Cause> causes) {
  static final ProfileTimes NONE = new ProfileTimes(0, 0, new Waits(0, 0, 0, 0), 0, 0, List.of());

  /** For how long they waited, each wait at least as long as the threshold. */
  public record Waits(long lockNanos, long ioNanos, long sleepNanos, long parkNanos) {
    long sum() {
      return lockNanos + ioNanos + sleepNanos + parkNanos;
    }
  }

  /** A lock, an address, a file or a class, and for how long it was waited for. */
  public record Cause(ProfileQuery.Time time, String on, long nanos) {}

  /** Waits for a processor, shorter waits, and native code. */
  public long restNanos() {
    return Math.max(0, wallNanos - cpuNanos - waits.sum() - gcNanos);
  }

  long of(ProfileQuery.Time time) {
    return switch (time) {
      case CPU -> cpuNanos;
      case WAIT -> waits.sum();
      case LOCK -> waits.lockNanos();
      case IO -> waits.ioNanos();
      case SLEEP -> waits.sleepNanos();
      case PARK -> waits.parkNanos();
      case ALLOCATION -> allocatedBytes;
    };
  }
}
