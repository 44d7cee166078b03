// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.clock;

import io.deimos.recorder.base.Faults;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
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
   * @param counter of type {@code ()long}, to be called by any thread, at any time
   * @param said told once when it is the clock, and once if it ceases to be
   */
  public static void run(MethodHandle counter, Consumer<String> said) {
    given = counter;
    try {
      Line checked = calibrate();
      if (checked == null) {
        said.accept("the processor's counter does not run evenly; nanoTime stays the clock");
        return;
      }
      line = checked;
      said.accept("the clock is the processor's counter, compared with nanoTime each second");
      while (checked != null) {
        LockSupport.parkNanos(FastClock.class, CHECK_NANOS);
        checked = bent(checked, Sample.take());
        line = checked;
      }
      said.accept(
          "the processor's counter was "
              + errorNanos
              + " ns apart from nanoTime, which is the clock from now on");
    } catch (Throwable t) {
      line = null;
      Faults.caught(t);
    }
  }

  private static @Nullable Line calibrate() {
    Sample first = Sample.take();
    pause();
    Sample second = Sample.take();
    pause();
    Sample third = Sample.take();
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
    static Sample take() {
      long best = Long.MAX_VALUE;
      long ticks = 0;
      long nanos = 0;
      for (int i = 0; i < SAMPLES; i++) {
        long before = Counter.read();
        long now = System.nanoTime();
        long after = Counter.read();
        if (after - before < best && after >= before) {
          best = after - before;
          ticks = before + best / 2;
          nanos = now;
        }
      }
      return new Sample(ticks, nanos);
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
