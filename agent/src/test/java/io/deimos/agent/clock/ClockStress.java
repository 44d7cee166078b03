// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.clock;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.clock.FastClock;
import java.lang.instrument.Instrumentation;
import java.lang.instrument.UnmodifiableClassException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Reads the clock on three threads, with objects, numbers and locks alive across each reading,
 * while stacks are walked, memory is collected, and the readers' classes are transformed anew.
 *
 * <p>By hand, for longer and with other flags: {@code java -Dclock.seconds=600 -javaagent:JAR -cp
 * ... io.deimos.agent.clock.ClockStress}; the jar needs only a manifest that names this class.
 */
public final class ClockStress {
  private static final int READERS = 3;
  private static final int KEPT = 64;
  private static final long TURN_MILLIS = 10;

  /** The least time under stress once the fast clock is at work. */
  private static final long SECONDS = Long.getLong("clock.seconds", 1);

  /** How far a reading may lie outside the two of {@code nanoTime} around it. */
  private static final long TOLERANCE_NANOS = 200_000;

  /** Flags under which code is never compiled so that it can read the counter. */
  private static final boolean IS_NANO_TIME = Boolean.getBoolean("clock.nano-time");

  private static volatile @Nullable Instrumentation instrumentation;
  private static volatile @Nullable String unusable;
  private static volatile @Nullable String failure;
  private static volatile boolean ended;

  private ClockStress() {}

  public static void premain(String arguments, Instrumentation given) {
    instrumentation = given;
    ProcessorClock.start(given, ClockStress::said, reason -> unusable = reason);
  }

  /** There is no clock to wait for if it is not running now. */
  private static void said(String sentence) {
    if (!FastClock.isRunning()) {
      unusable = sentence;
    }
  }

  @SuppressWarnings("SystemOut")
  public static void main(String[] arguments) throws Exception {
    List<Thread> readers = new ArrayList<>();
    for (int i = 0; i < READERS; i++) {
      int reader = i;
      Thread thread = new Thread(() -> readAll(reader));
      thread.start();
      readers.add(thread);
    }
    int turn = 0;
    while (failure == null && !IS_NANO_TIME && unusable == null && !FastClock.isRunning()) {
      disturb(turn++);
    }
    long end = System.nanoTime() + SECONDS * 1_000_000_000L;
    while (failure == null && System.nanoTime() < end) {
      disturb(turn++);
    }
    boolean isRunning = FastClock.isRunning();
    ended = true;
    for (Thread reader : readers) {
      reader.join();
    }
    String reason = failure != null ? failure : isRunning ? "counter" : "nanoTime: " + unusable;
    System.out.println(reason);
    System.exit(failure == null ? 0 : 3);
  }

  private static void disturb(int turn) throws InterruptedException, UnmodifiableClassException {
    Thread.sleep(TURN_MILLIS);
    Thread.getAllStackTraces();
    if (Double.isNaN(shape(turn).getAsDouble())) {
      failure = "no number";
    }
    if (turn % 8 == 0) {
      System.gc();
    }
    Instrumentation given = instrumentation;
    if (turn % 16 == 0 && given != null) {
      given.retransformClasses(ClockStress.class, Clock.class);
    }
  }

  private static void readAll(int reader) {
    try {
      for (int i = 0; !ended && failure == null; i++) {
        read(shape(reader + i));
      }
    } catch (RuntimeException | Error e) {
      failure = e.toString();
    }
  }

  /** Classes that the compiler has not seen yet make it give up what it assumed. */
  private static DoubleSupplier shape(int kind) {
    return switch (kind % 4) {
      case 0 -> () -> 1;
      case 1 -> () -> Clock.now() * 0.0;
      case 2 ->
          new DoubleSupplier() {
            @Override
            public double getAsDouble() {
              return Clock.now() == 0 ? 2 : 3;
            }
          };
      default -> () -> 4;
    };
  }

  private static void read(DoubleSupplier shape) {
    Object[] kept = new Object[KEPT];
    double sum = 1;
    for (int i = 0; !ended && i < 200_000; i++) {
      int[] numbers = {i, -i};
      String text = "reading " + (i & 7);
      double half = i * 0.5;
      long triple = i * 3L;
      long before = System.nanoTime();
      long now = Clock.now();
      long after = System.nanoTime();
      if (now - before < -TOLERANCE_NANOS || now - after > TOLERANCE_NANOS) {
        failure = now + " is not between " + before + " and " + after;
      }
      if (numbers[0] != i
          || numbers[1] != -i
          || !text.endsWith(String.valueOf(i & 7))
          || half != i * 0.5
          || triple != i * 3L) {
        failure = "something changed across a reading";
      }
      kept[i % KEPT] = numbers;
      try {
        sum += shape.getAsDouble();
        if (i % 1024 == 0) {
          throw new IllegalStateException("thrown between readings");
        }
      } catch (IllegalStateException e) {
        sum -= Clock.now() * 0.0;
      }
      synchronized (kept) {
        sum += Clock.now() * 0.0;
      }
    }
    if (Double.isNaN(sum)) {
      failure = "the sum is no number";
    }
  }
}
