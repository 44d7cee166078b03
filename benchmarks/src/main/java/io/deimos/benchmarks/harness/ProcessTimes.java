// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Linux's counts for a process up to one moment: its CPU time, and by thread the CPU time and how
 * often the thread went to sleep.
 *
 * @param atNanos when it was read
 * @param cpuTicks user and system time of the process, ended threads included
 * @param threads by thread id
 */
record ProcessTimes(long atNanos, long cpuTicks, Map<Long, ThreadTimes> threads) {
  /** Linux tells all programs hundredths of a second, whatever it counts in itself. */
  static final double TICKS_PER_SECOND = 100;

  private static final int FIRST_FIELD_AFTER_NAME = 3;
  private static final int USER_TIME_FIELD = 14;

  /**
   * One thread.
   *
   * @param group the threads it is counted with
   * @param sleeps voluntary switches: each is followed by a wake-up
   */
  record ThreadTimes(String group, long cpuTicks, long sleeps) {}

  static ProcessTimes of(long pid) throws IOException {
    Path folder = Path.of("/proc", Long.toString(pid));
    Map<Long, ThreadTimes> threads = new HashMap<>();
    try (Stream<Path> tasks = Files.list(folder.resolve("task"))) {
      for (Path task : tasks.toList()) {
        add(task, threads);
      }
    }
    return new ProcessTimes(
        System.nanoTime(), ticks(Files.readString(folder.resolve("stat"))), threads);
  }

  private static void add(Path task, Map<Long, ThreadTimes> to) throws IOException {
    try {
      String stat = Files.readString(task.resolve("stat"));
      List<String> status = Files.readAllLines(task.resolve("status"));
      ThreadTimes times =
          new ThreadTimes(group(name(stat)), ticks(stat), field(status, "voluntary_ctxt_switches"));
      to.put(Long.valueOf(task.getFileName().toString()), times);
    } catch (NoSuchFileException | IllegalArgumentException ended) {
      // Its CPU time is in the process's.
    }
  }

  /** The CPU time since {@code earlier}, in percent of one core. */
  double cpuPercentSince(ProcessTimes earlier) {
    return percent(cpuTicks - earlier.cpuTicks, secondsSince(earlier));
  }

  /**
   * Wake-ups a second since {@code earlier}; a thread that began or ended in between counts from or
   * to there.
   */
  double wakeupsSince(ProcessTimes earlier) {
    long sleeps = 0;
    for (Map.Entry<Long, ThreadTimes> thread : threads.entrySet()) {
      ThreadTimes before = earlier.threads.get(thread.getKey());
      sleeps += thread.getValue().sleeps - (before == null ? 0 : before.sleeps);
    }
    return sleeps / secondsSince(earlier);
  }

  /** The CPU time of threads since {@code earlier} by group, in percent of one core. */
  Map<String, Double> groupsSince(ProcessTimes earlier) {
    Map<String, Double> groups = new TreeMap<>();
    double seconds = secondsSince(earlier);
    for (Map.Entry<Long, ThreadTimes> thread : threads.entrySet()) {
      ThreadTimes before = earlier.threads.get(thread.getKey());
      ThreadTimes now = thread.getValue();
      long ticks = now.cpuTicks - (before == null ? 0 : before.cpuTicks);
      groups.merge(now.group, percent(ticks, seconds), Double::sum);
    }
    return groups;
  }

  /** The CPU time of the threads that live, in seconds by group. */
  Map<String, Double> seconds() {
    Map<String, Double> groups = new TreeMap<>();
    for (ThreadTimes thread : threads.values()) {
      groups.merge(thread.group, thread.cpuTicks / TICKS_PER_SECOND, Double::sum);
    }
    return groups;
  }

  private double secondsSince(ProcessTimes earlier) {
    return (atNanos - earlier.atNanos) / 1e9;
  }

  private static double percent(long ticks, double seconds) {
    return 100 * ticks / TICKS_PER_SECOND / seconds;
  }

  /**
   * The name in a {@code stat} file, between the first and the last bracket: it may have any text.
   */
  static String name(String stat) {
    return stat.substring(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
  }

  /** User and system time in a {@code stat} file. */
  static long ticks(String stat) {
    String[] rest = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    int user = USER_TIME_FIELD - FIRST_FIELD_AFTER_NAME;
    return Long.parseLong(rest[user]) + Long.parseLong(rest[user + 1]);
  }

  /** The number behind {@code name:} in a {@code status} file, without its unit. */
  static long field(List<String> status, String name) {
    for (String line : status) {
      if (line.startsWith(name + ":")) {
        return Long.parseLong(line.substring(name.length() + 1).strip().split(" ", 2)[0]);
      }
    }
    throw new IllegalArgumentException("no " + name + " in " + status);
  }

  /** The group of a thread; the kernel keeps 15 characters of its name. */
  static String group(String name) {
    if (name.startsWith("deimos")) {
      return name;
    }
    if (name.startsWith("C1 ") || name.startsWith("C2 ") || name.startsWith("Sweeper")) {
      return "compilers";
    }
    if (name.startsWith("G1 ")
        || name.startsWith("GC ")
        || name.startsWith("Z")
        || name.startsWith("ParGC")) {
      return "collector";
    }
    return name.startsWith("shop-") || name.contains("dispat") ? "actors" : "others";
  }
}
