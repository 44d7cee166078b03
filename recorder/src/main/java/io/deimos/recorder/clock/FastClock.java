// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.clock;

import io.deimos.recorder.base.Faults;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The processor's time-stamp counter as a clock: cheaper than {@link System#nanoTime}, because it
 * neither enters the system's code nor waits for the instructions before it.
 *
 * <p>A thread compares the two once a second and bends the line that turns ticks into nanoseconds,
 * so that the fast clock runs after {@code nanoTime} without ever being set back. If they were
 * further apart than {@value #TOLERANCE_NANOS} ns and {@value #TOLERANCE_PPM} millionths of the
 * time between, the fast clock is off for good.
 *
 * <p><b>Threads.</b> {@link #line} is written by the comparing thread and read by all.
 *
 * <p><b>Order.</b> A reading may be as much as a few dozen instructions early or late, since the
 * processor may reorder it. Durations below that are not negative, but 0.
 */
public final class FastClock {
  private static final long TOLERANCE_NANOS = 20_000;
  private static final long TOLERANCE_PPM = 50;
  private static final long CALIBRATION_NANOS = 500_000_000;
  private static final long CHECK_NANOS = 1_000_000_000;

  /** Two measurements of the counter's rate may not differ by more than so many millionths. */
  private static final double RATE_PPM = 20;

  private static final int SAMPLES = 32;

  /** The counter's answer to code that cannot read it, which {@code nanoTime} then serves. */
  public static final long NO_READING = Long.MIN_VALUE;

  /** Calls of an attempt to have something compiled; the compiler wants some ten thousand. */
  public static final int CALLS = 2_000;

  private static final int ATTEMPTS = 64;
  private static final long MIN_PAUSE_NANOS = 1_000_000;

  /** How ticks become nanoseconds now; null while {@code nanoTime} is the clock. */
  static volatile @Nullable Line line;

  private static volatile @Nullable MethodHandle given;
  private static volatile long errorNanos;

  private FastClock() {}

  /** Whether it is the clock now. */
  public static boolean isRunning() {
    return line != null;
  }

  /** How far the two clocks were apart at the last comparison; 0 while this one is not running. */
  public static long errorNanos() {
    return isRunning() ? errorNanos : 0;
  }

  /**
   * Compares the counter with {@code nanoTime}; if they agree, it is the clock a second later, and
   * for as long as they do. Returns when they no longer do, which may be never. Called once.
   *
   * <p>Without a reading to compare, {@code nanoTime} is the clock until there are some again.
   *
   * @param counter of type {@code ()long}, to be called by any thread, at any time; it may answer
   *     {@link #NO_READING} to code that is not compiled
   * @param said told once when it is the clock, and once if it ceases to be
   */
  public static void run(MethodHandle counter, Consumer<String> said) {
    given = counter;
    boolean told = false;
    try {
      for (Sample first = untilCompiled(Sample::take);
          first != null;
          first = untilCompiled(Sample::take)) {
        Line checked = calibrate(first);
        if (checked == null) {
          said.accept("the processor's counter does not run evenly; nanoTime stays the clock");
          return;
        }
        line = checked;
        if (!told) {
          said.accept("the clock is the processor's counter, compared with nanoTime each second");
          told = true;
        }
        if (!compareEachSecond(checked)) {
          said.accept(
              "the processor's counter was "
                  + errorNanos
                  + " ns apart from nanoTime, which is the clock from now on");
          return;
        }
      }
      said.accept("the processor's counter is not read by code of this JVM; nanoTime is the clock");
    } catch (Throwable t) {
      line = null;
      Faults.caught(t);
    }
  }

  /** Returns true if nothing could be compared, false if the two were too far apart. */
  private static boolean compareEachSecond(Line checked) {
    Line now = checked;
    while (now != null) {
      LockSupport.parkNanos(FastClock.class, CHECK_NANOS);
      Sample sample = Sample.take();
      if (sample == null) {
        line = null;
        return true;
      }
      now = bent(now, sample);
      line = now;
    }
    return false;
  }

  /**
   * Tries again, at growing intervals, until the compiler has seen to it that there is a reading.
   *
   * @param attempt many calls of what must be compiled; null if none had an answer
   * @return its answer; null after a minute
   */
  public static <T> @Nullable T untilCompiled(Supplier<@Nullable T> attempt) {
    long pause = MIN_PAUSE_NANOS;
    for (int i = 0; i < ATTEMPTS; i++) {
      T answer = attempt.get();
      if (answer != null) {
        return answer;
      }
      LockSupport.parkNanos(FastClock.class, pause);
      pause = Math.min(2 * pause, CHECK_NANOS);
    }
    return null;
  }

  private static @Nullable Line calibrate(Sample first) {
    pause();
    Sample second = Sample.take();
    pause();
    Sample third = Sample.take();
    if (second == null || third == null) {
      return null;
    }
    double before = rate(first, second);
    double after = rate(second, third);
    boolean even = before > 0 && Math.abs(before - after) <= before * RATE_PPM / 1e6;
    double rate = rate(first, third);
    // A rate of 2 or more would overflow the line's scale; no counter is that slow.
    return even && rate < 2 ? new Line(third.ticks, third.nanos, rate) : null;
  }

  private static void pause() {
    long until = System.nanoTime() + CALIBRATION_NANOS;
    for (long left = CALIBRATION_NANOS; left > 0; left = until - System.nanoTime()) {
      LockSupport.parkNanos(FastClock.class, left);
    }
  }

  private static double rate(Sample from, Sample to) {
    return (to.nanos - from.nanos) / (double) (to.ticks - from.ticks);
  }

  /** The line from here on, which meets nanoTime's in a second; null if they are too far apart. */
  static @Nullable Line bent(Line now, Sample sample) {
    long shown = now.nanos(sample.ticks);
    long elapsed = sample.nanos - now.nanos;
    long error = shown - sample.nanos;
    errorNanos = Math.abs(error);
    if (elapsed <= 0 || Math.abs(error) > TOLERANCE_NANOS + elapsed * TOLERANCE_PPM / 1_000_000) {
      return null;
    }
    double measured = (sample.nanos - now.nanos + now.error) / (double) (sample.ticks - now.ticks);
    double bent = measured * (1 - (double) error / CHECK_NANOS);
    return new Line(sample.ticks, shown, bent, error);
  }

  /** The counter and nanoTime at one moment, as well as that can be had. */
  record Sample(long ticks, long nanos) {
    /** Null if there were no readings. */
    static @Nullable Sample take() {
      long best = Long.MAX_VALUE;
      long ticks = 0;
      long nanos = 0;
      for (int i = 0, taken = 0; i < CALLS && taken < SAMPLES; i++) {
        long before = Counter.read();
        long now = System.nanoTime();
        long after = Counter.read();
        if (before != NO_READING && after != NO_READING) {
          taken++;
          if (after - before < best && after >= before) {
            best = after - before;
            ticks = before + best / 2;
            nanos = now;
          }
        }
      }
      return best == Long.MAX_VALUE ? null : new Sample(ticks, nanos);
    }
  }

  /** From ticks to nanoseconds. Immutable. */
  static final class Line {
    private final long ticks;
    private final long nanos;
    private final long scale;
    private final long error;

    /**
     * @param rate nanoseconds a tick, in (0, 2)
     */
    Line(long ticks, long nanos, double rate) {
      this(ticks, nanos, rate, 0);
    }

    private Line(long ticks, long nanos, double rate, long error) {
      this.ticks = ticks;
      this.nanos = nanos;
      this.scale = (long) (rate * 0x1p62);
      this.error = error;
    }

    long nanos(long at) {
      return nanos + Math.multiplyHigh((at - ticks) << 2, scale);
    }
  }

  /** A class of its own, so that its field is a constant to the JIT compiler. */
  static final class Counter {
    private static final @Nullable MethodHandle READ = given;

    private Counter() {}

    static long read() {
      try {
        return READ == null ? 0 : (long) READ.invokeExact();
      } catch (Throwable t) {
        throw new IllegalStateException("the processor's counter cannot be read", t);
      }
    }
  }
}
