// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.housekeeping.GaugeReaders;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.trouble.AtWork;
import io.deimos.recorder.trouble.PoolThreads;
import io.deimos.recorder.trouble.StarvationWatch;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The dispatchers of this process with their threads, as they are at one moment: what each thread
 * is at, as it says itself. Other threads are in it only while they process a message.
 *
 * @param pools by actor system and name; last, without a name, the threads of no dispatcher
 * @param more how many threads there are beyond the first {@value #MAX_THREADS}
 */
public record ThreadTable(long nowNanos, List<Pool> pools, int more) {
  /** How many threads it has at most. */
  public static final int MAX_THREADS = 1000;

  /**
   * A dispatcher's executor.
   *
   * @param dispatcher empty for the threads of none
   * @param waitNanos for how long a task has been waiting for a thread; 0 if none is
   */
  public record Pool(
      String system,
      String dispatcher,
      String executor,
      Load load,
      long waitNanos,
      List<Line> threads) {}

  /** The numbers of an executor, as it was read last. Unknown numbers are null. */
  public record Load(
      @Nullable Long parallelism,
      @Nullable Long active,
      @Nullable Long queued,
      @Nullable Long actors) {}

  /**
   * A thread.
   *
   * @param work the message that it processes; null if that is none that is known
   */
  public record Line(long id, String name, Thread.State state, @Nullable AtWork work) {}

  /**
   * As it is now.
   *
   * @param wanted which threads are in it
   * @param limit how many of them at most
   */
  public static ThreadTable now(Predicate<Line> wanted, int limit) {
    Readings read = GaugeReaders.last();
    long now = Clock.now();
    Map<Thread, Lane> lanes = PoolThreads.lanes();
    List<Thread> threads = new ArrayList<>(PoolThreads.all());
    Set<Thread> known = new HashSet<>(threads);
    lanes.keySet().stream().filter(known::add).forEach(threads::add);
    threads.sort(Comparator.comparing(Thread::getName).thenComparingLong(Thread::getId));
    Room room = new Room(wanted, limit);
    List<Pool> pools = new ArrayList<>();
    for (List<String> names : dispatchers(read)) {
      String system = names.get(0);
      String dispatcher = names.get(1);
      List<Line> lines = new ArrayList<>();
      for (Iterator<Thread> left = threads.iterator(); left.hasNext(); ) {
        Thread thread = left.next();
        if (PoolThreads.isOf(thread.getName(), system, dispatcher)) {
          left.remove();
          room.take(thread, PoolThreads.atWork(thread, lanes), lines);
        }
      }
      pools.add(pool(read, names, now, lines));
    }
    List<Line> others = new ArrayList<>();
    for (Thread thread : threads) {
      AtWork work = PoolThreads.atWork(thread, lanes);
      if (work != null) {
        room.take(thread, work, others);
      }
    }
    if (!others.isEmpty()) {
      pools.add(new Pool("", "", "", new Load(null, null, null, null), 0, List.copyOf(others)));
    }
    return new ThreadTable(now, List.copyOf(pools), room.more);
  }

  /** The stack of a thread; null if no such thread lives, or it is none that the table has. */
  public static StackTraceElement @Nullable [] stack(long id) {
    for (Pool pool : now(line -> line.id == id, MAX_THREADS).pools) {
      if (!pool.threads.isEmpty()) {
        return stackOf(id);
      }
    }
    return null;
  }

  /** The stack of a thread that was in a table; null if it does not live any more. */
  public static StackTraceElement @Nullable [] stackOf(long id) {
    for (Thread thread : PoolThreads.all()) {
      if (thread.getId() == id) {
        return thread.getStackTrace();
      }
    }
    for (Thread thread : PoolThreads.lanes().keySet()) {
      if (thread.getId() == id) {
        return thread.getStackTrace();
      }
    }
    return null;
  }

  /** The names of all dispatchers that are read, each once, in order. */
  private static Set<List<String>> dispatchers(Readings read) {
    Map<String, List<String>> sorted = new TreeMap<>();
    for (Metric metric : List.of(Metric.DISPATCHER_ACTORS, Metric.DISPATCHER_THREADS)) {
      for (List<String> names : read.of(metric).keySet()) {
        sorted.put(String.join("\n", names), names);
      }
    }
    return new LinkedHashSet<>(sorted.values());
  }

  private static Pool pool(Readings read, List<String> names, long now, List<Line> lines) {
    return new Pool(
        names.get(0),
        names.get(1),
        names.get(2),
        new Load(
            read.of(Metric.DISPATCHER_PARALLELISM).get(names),
            read.of(Metric.DISPATCHER_ACTIVE).get(names),
            read.of(Metric.DISPATCHER_QUEUED).get(names),
            read.of(Metric.DISPATCHER_ACTORS).get(names)),
        StarvationWatch.waitNanos(names.get(0), names.get(1), now),
        List.copyOf(lines));
  }

  /** Has room for so many threads, and counts the rest. */
  private static final class Room {
    private final Predicate<Line> wanted;
    private int left;
    private int more;

    Room(Predicate<Line> wanted, int limit) {
      this.wanted = wanted;
      this.left = limit;
    }

    void take(Thread thread, @Nullable AtWork work, List<Line> to) {
      Line line = new Line(thread.getId(), thread.getName(), thread.getState(), work);
      if (!wanted.test(line)) {
        return;
      }
      if (left > 0) {
        left--;
        to.add(line);
      } else {
        more++;
      }
    }
  }
}
