// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Failures of our own code. They never leave it: each is counted, and each place that fails is told
 * once, later and by a thread of ours.
 *
 * <p><b>Threads.</b> Any. {@link #caught} is called where the application waits, so it neither logs
 * nor locks.
 *
 * <p><b>Full.</b> Of {@value #KINDS} failures with different words the first {@value #EACH} stacks
 * each are looked at; all others are only counted. So a place that fails all the time does not hide
 * one that fails once.
 */
public final class Faults {
  private static final int KINDS = 100;
  private static final int EACH = 8;
  private static final String OURS = "io.deimos.";

  private static final AtomicLong COUNT = new AtomicLong();
  private static final Map<String, AtomicInteger> LOOKED_AT = new ConcurrentHashMap<>();
  private static final Set<String> PLACES = ConcurrentHashMap.newKeySet();
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  @SuppressWarnings("StaticAssignmentOfThrowable") // kept to be reported, never thrown
  private static volatile @Nullable Throwable first;

  private static volatile @Nullable Consumer<String> listener;

  private Faults() {}

  /** What woven code calls in place of throwing. Throws nothing, out of memory or not. */
  @SuppressWarnings("StaticAssignmentOfThrowable")
  public static void caught(Throwable fault) {
    COUNT.incrementAndGet();
    try {
      if (first == null) {
        first = fault;
      }
      if (isWorthALook(fault.toString())) {
        PLACES.add(place(fault));
      }
    } catch (Throwable t) {
      // Counted it is; there is no memory or no stack left to say more.
    }
  }

  private static boolean isWorthALook(String words) {
    AtomicInteger looks = LOOKED_AT.get(words);
    if (looks == null && LOOKED_AT.size() < KINDS) {
      AtomicInteger made = new AtomicInteger();
      AtomicInteger known = LOOKED_AT.putIfAbsent(words, made);
      looks = known == null ? made : known;
    }
    return looks != null && looks.get() < EACH && looks.incrementAndGet() <= EACH;
  }

  /** What failed, and the innermost method of ours that it came through. */
  private static String place(Throwable fault) {
    for (StackTraceElement frame : fault.getStackTrace()) {
      if (frame.getClassName().startsWith(OURS)) {
        return fault
            + " in "
            + frame.getClassName().substring(frame.getClassName().lastIndexOf('.') + 1)
            + "."
            + frame.getMethodName();
      }
    }
    return fault.toString();
  }

  /** Sets who is told of each place that fails, in one sentence. */
  public static void listener(Consumer<String> told) {
    listener = told;
  }

  /** Tells what has not been told yet. By a thread of ours, from time to time and at the end. */
  public static void tell() {
    Consumer<String> to = listener;
    if (to == null || PLACES.size() == TOLD.size()) {
      return;
    }
    for (String place : PLACES) {
      if (TOLD.add(place)) {
        to.accept(
            "a failure of Deimos itself ("
                + place
                + "); the application runs on without it, but a span or a count may be missing; the page has"
                + " the stack of the first one, please report it");
      }
    }
  }

  public static long count() {
    return COUNT.get();
  }

  /** The first failure, or null if there has been none. */
  public static @Nullable Throwable first() {
    return first;
  }
}
