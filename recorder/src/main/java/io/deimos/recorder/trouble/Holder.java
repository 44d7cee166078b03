// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.ring.Lane;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * A thread of a dispatcher that is not free, and where it is.
 *
 * @param work the message that it processes; null if it runs something else
 */
record Holder(String thread, @Nullable AtWork work, List<StackTraceElement> stack) {
  /** How many threads are looked at; each is stopped for a moment. */
  private static final int MAX_THREADS = 64;

  /** How many stacks are told; threads that are at the same place share one. */
  private static final int MAX_STACKS = 6;

  private static final int FRAMES = 12;

  /** Stacks with these frames in common are at the same place. */
  private static final int PLACE_FRAMES = 4;

  /** Those of a dispatcher. */
  static List<Holder> of(String system, String dispatcher) {
    Map<Thread, Lane> lanes = PoolThreads.lanes();
    List<Holder> holders = new ArrayList<>();
    for (Thread thread : PoolThreads.all()) {
      if (holders.size() < MAX_THREADS && PoolThreads.isOf(thread.getName(), system, dispatcher)) {
        AtWork before = PoolThreads.atWork(thread, lanes);
        StackTraceElement[] stack = thread.getStackTrace();
        AtWork after = PoolThreads.atWork(thread, lanes);
        if (after != null || !PoolThreads.isIdle(stack)) {
          boolean same = before != null && before.equals(after);
          holders.add(
              new Holder(
                  thread.getName(),
                  same ? after : null,
                  List.of(Arrays.copyOf(stack, stack.length))));
        }
      }
    }
    return holders;
  }

  /** The one that has been at its message for longest; null if none is at a message. */
  static @Nullable Holder longest(List<Holder> of, long nowNanos) {
    Holder longest = null;
    for (Holder holder : of) {
      if (holder.work != null
          && (longest == null || holder.lasted(nowNanos) > longest.lasted(nowNanos))) {
        longest = holder;
      }
    }
    return longest;
  }

  private long lasted(long nowNanos) {
    return work == null ? 0 : work.lastedNanos(nowNanos);
  }

  /** The work of all of them, threads at the same place together, most of them first. */
  static String text(List<Holder> holders, long nowNanos) {
    Map<List<Object>, List<Holder>> places = new LinkedHashMap<>();
    for (Holder holder : holders) {
      places.computeIfAbsent(holder.place(), place -> new ArrayList<>()).add(holder);
    }
    List<List<Holder>> sorted = new ArrayList<>(places.values());
    sorted.sort((a, b) -> Integer.compare(b.size(), a.size()));
    StringJoiner text = new StringJoiner("\n");
    for (List<Holder> same : sorted.subList(0, Math.min(MAX_STACKS, sorted.size()))) {
      Holder longest = longest(same, nowNanos);
      text.add(head(same, longest, nowNanos));
      for (StackTraceElement frame : first(longest == null ? same.get(0) : longest, FRAMES)) {
        text.add("at " + frame);
      }
    }
    if (sorted.size() > MAX_STACKS) {
      text.add("and threads at " + (sorted.size() - MAX_STACKS) + " other places");
    }
    return text.toString();
  }

  private static String head(List<Holder> same, @Nullable Holder longest, long nowNanos) {
    String threads = same.size() == 1 ? same.get(0).thread : same.size() + " threads";
    AtWork work = longest == null ? null : longest.work;
    if (work == null) {
      return threads + (same.size() == 1 ? " runs" : " run") + " a task that is no message:";
    }
    String since =
        work.startNanos() == 0
            ? ""
            : ", for " + StuckWatch.seconds(work.lastedNanos(nowNanos)) + " s";
    return threads
        + (same.size() == 1 ? " processes " : " process ")
        + work.message()
        + (same.size() == 1 ? " in " : ", one of them in ")
        + work.actor().path()
        + since
        + ":";
  }

  private List<Object> place() {
    AtWork at = work;
    return List.of(
        at == null ? "" : at.actor().className(),
        at == null ? "" : at.message(),
        first(this, PLACE_FRAMES));
  }

  private static List<StackTraceElement> first(Holder of, int frames) {
    return of.stack.subList(0, Math.min(frames, of.stack.size()));
  }
}
