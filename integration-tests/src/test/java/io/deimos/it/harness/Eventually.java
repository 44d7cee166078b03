// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.harness;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A monitor on which to wait for a condition, woken by whoever changes what it depends on. It looks
 * by itself too, since much of what tests wait for has nobody to wake it: often at first, and then
 * less and less, so that looking takes little of the processor.
 */
public final class Eventually {
  public static final Duration DEADLINE = Duration.ofSeconds(150);
  private static final long FIRST_PAUSE_MILLIS = 5;
  private static final long LONGEST_PAUSE_MILLIS = 200;

  public synchronized void changed() {
    notifyAll();
  }

  /** Looks until {@code condition} holds; fails with {@code otherwise} when time is up. */
  public static void await(BooleanSupplier condition, Supplier<String> otherwise) {
    new Eventually().await(condition, DEADLINE, otherwise);
  }

  /** Looks until what it sees is as wanted, and returns that; {@code otherwise} says what it is. */
  public static <T> T see(
      Supplier<T> look, Predicate<T> wanted, Function<@Nullable T, String> otherwise) {
    AtomicReference<@Nullable T> last = new AtomicReference<>();
    await(
        () -> {
          T now = look.get();
          last.set(now);
          return wanted.test(now);
        },
        () -> otherwise.apply(last.get()));
    return Objects.requireNonNull(last.get());
  }

  /** Waits until {@code condition} holds; fails with {@code otherwise} when time is up. */
  public synchronized void await(
      BooleanSupplier condition, Duration deadline, Supplier<String> otherwise) {
    long until = System.nanoTime() + deadline.toNanos();
    long pauseMillis = FIRST_PAUSE_MILLIS;
    while (!condition.getAsBoolean()) {
      long left = until - System.nanoTime();
      if (left <= 0) {
        throw new AssertionError("not within " + deadline + ": " + otherwise.get());
      }
      try {
        wait(Math.max(1, Math.min(left / 1_000_000, pauseMillis)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new AssertionError("interrupted: " + otherwise.get(), e);
      }
      pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS);
    }
  }
}
