// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.List;

/**
 * The recorder's configuration, fixed before the first woven class is loaded.
 *
 * @param tracing whether spans are recorded
 * @param metrics whether messages are counted and timed
 * @param timedOneIn of the messages without a span one in so many is timed, in [1, 1024]; 1 times
 *     all
 * @param guard the bounds at which a trace ends
 * @param groups patterns of path, the first that fits is an actor's group
 * @param persistence whether writes of events and recoveries are recorded
 */
public record RecorderConfig(
    boolean tracing,
    boolean metrics,
    Rings rings,
    int timedOneIn,
    GuardConfig guard,
    Series series,
    List<String> groups,
    boolean persistence) {
  /**
   * Records on their way to the drainer.
   *
   * @param capacity records per dispatcher thread: a power of two in [64, 1048576], 64 bytes each
   * @param backlog records that wait for a slow exporter: in [0, 16777216], 64 bytes each, taken
   *     from the heap only while they wait
   * @param thinning whether no trace begins on a thread whose ring is more than half full
   */
  public record Rings(int capacity, int backlog, boolean thinning) {
    public Rings {
      if (backlog < 0 || backlog > 1 << 24) {
        throw new IllegalArgumentException("backlog " + backlog + " is not in [0, 16777216]");
      }
      if (capacity < 64 || capacity > 1 << 20 || Integer.bitCount(capacity) != 1) {
        throw new IllegalArgumentException(
            "capacity " + capacity + " is not a power of two in [64, 1048576]");
      }
    }
  }

  /**
   * The series of each metric.
   *
   * @param max how many: in [100, 100000]; a pair of actor and message class takes about 450 bytes
   *     on each thread that processes it, while it has a series
   * @param windowSeconds how often the pairs that have a series are chosen again: in [1, 3600]
   */
  public record Series(int max, int windowSeconds) {
    public Series {
      if (max < 100 || max > 100_000) {
        throw new IllegalArgumentException("max " + max + " is not in [100, 100000]");
      }
      if (windowSeconds < 1 || windowSeconds > 3600) {
        throw new IllegalArgumentException(
            "windowSeconds " + windowSeconds + " is not in [1, 3600]");
      }
    }
  }

  /** Both, with 8192 records a thread (512 KiB). */
  public static final RecorderConfig DEFAULT = new RecorderConfig(true, true, 8192);

  private static volatile RecorderConfig current = DEFAULT;

  /** The configuration of this process. */
  public static RecorderConfig current() {
    return current;
  }

  /** Sets what this process records; without effect on woven classes that have run. */
  public static void use(RecorderConfig chosen) {
    current = chosen;
  }

  /**
   * With 262144 records that wait at most (16 MiB), every message timed, the default guard, and
   * 2000 series, looked at every 10 s.
   */
  public RecorderConfig(boolean tracing, boolean metrics, int ringCapacity) {
    this(
        tracing,
        metrics,
        new Rings(ringCapacity, 1 << 18, false),
        1,
        GuardConfig.DEFAULT,
        new Series(2000, 10),
        List.of(),
        true);
  }

  public RecorderConfig {
    groups = List.copyOf(groups);
    if (timedOneIn < 1 || timedOneIn > 1024) {
      throw new IllegalArgumentException("timedOneIn " + timedOneIn + " is not in [1, 1024]");
    }
  }
}
