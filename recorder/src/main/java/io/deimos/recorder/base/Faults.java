// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Failures of our own code. They never leave it: each is counted, and each place that fails is told
 * once, later and by a thread of ours. The first stack of each place is kept, as text: an exception
 * would keep the class loader that it comes from.
 *
 * <p><b>Threads.</b> Any. {@link #caught} is called where the application waits, so it neither logs
 * nor locks.
 *
 * <p><b>Full.</b> Among {@value #KINDS} failures with different words the first {@value #EACH}
 * stacks each are looked at; all others are only counted. So a place that fails all the time does
 * not hide one that fails once. A stack has {@value #FRAMES} lines and {@value #STACK_LENGTH}
 * characters.
 */
public final class Faults {
  private static final int KINDS = 100;
  private static final int EACH = 8;
  private static final int WORDS_LENGTH = 300;
  private static final int FRAMES = 40;
  private static final int STACK_LENGTH = 4_000;
  private static final String OURS = "io.deimos.";

  private static final AtomicLong COUNT = new AtomicLong();
  private static final Map<String, Kind> KINDS_SEEN = new ConcurrentHashMap<>();
  private static final Map<String, Fault> PLACES = new ConcurrentHashMap<>();
  private static final Set<String> TOLD = ConcurrentHashMap.newKeySet();

  private static volatile @Nullable Consumer<String> listener;

  private Faults() {}

  /** Called by woven code in place of throwing. Throws nothing, out of memory or not. */
  public static void caught(Throwable fault) {
    COUNT.incrementAndGet();
    try {
      String words = Texts.cut(fault.toString(), WORDS_LENGTH);
      Kind kind = kind(words);
      if (kind != null) {
        kind.times.incrementAndGet();
        if (kind.isWorthALook()) {
          keep(words, kind, fault.getStackTrace());
        }
      }
    } catch (Throwable t) {
      // Counted it is; there is no memory or no stack left to say more.
    }
  }

  private static @Nullable Kind kind(String words) {
    Kind known = KINDS_SEEN.get(words);
    return known == null && KINDS_SEEN.size() < KINDS
        ? KINDS_SEEN.computeIfAbsent(words, w -> new Kind())
        : known;
  }

  private static void keep(String words, Kind kind, StackTraceElement[] stack) {
    String where = where(stack);
    String place = words + where;
    if (!PLACES.containsKey(place)) {
      PLACES.putIfAbsent(place, new Fault(words, where, text(stack), kind));
    }
  }

  /** The innermost method of ours that it came through. */
  private static String where(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      if (type.startsWith(OURS)) {
        return " in " + type.substring(type.lastIndexOf('.') + 1) + "." + frame.getMethodName();
      }
    }
    return "";
  }

  private static String text(StackTraceElement[] stack) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < stack.length && i < FRAMES && text.length() < STACK_LENGTH; i++) {
      text.append("at ").append(stack[i]).append('\n');
    }
    return Texts.cut(text.toString(), STACK_LENGTH);
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
    PLACES.forEach(
        (place, fault) -> {
          if (TOLD.add(place)) {
            to.accept(
                "a failure of Deimos itself ("
                    + place
                    + "); the application runs on without it, but a span or a count may be missing;"
                    + " the page has its stack at /api/faults, please report it");
          }
        });
  }

  /** All, those of no known place included. */
  public static long count() {
    return COUNT.get();
  }

  /** Each place that has failed, the one that fails most first. */
  public static List<Fault> all() {
    List<Fault> all = new ArrayList<>(PLACES.values());
    all.sort((a, b) -> Long.compare(b.times(), a.times()));
    return all;
  }

  /** The failures with the same words. */
  private static final class Kind {
    private final AtomicLong times = new AtomicLong();
    private final AtomicInteger looks = new AtomicInteger();

    boolean isWorthALook() {
      return looks.get() < EACH && looks.incrementAndGet() <= EACH;
    }
  }

  /** A place that has failed, and its first stack. */
  public static final class Fault {
    private final String words;
    private final String where;
    private final String stack;
    private final Kind kind;

    private Fault(String words, String where, String stack, Kind kind) {
      this.words = words;
      this.where = where;
      this.stack = stack;
      this.kind = kind;
    }

    /** The exception, as it prints itself, and the method of ours. */
    public String what() {
      return words + where;
    }

    /** How often an exception with these words has been caught, wherever. */
    public long times() {
      return kind.times.get();
    }

    /** One line a frame, the innermost first. */
    public String stack() {
      return stack;
    }
  }
}
