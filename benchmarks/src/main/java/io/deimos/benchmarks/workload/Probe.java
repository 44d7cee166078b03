// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import com.sun.management.OperatingSystemMXBean;
import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Reads what the JVM knows of itself: process CPU time, bytes allocated, time in garbage
 * collection, the price of its clock. Nothing here runs while a message is timed.
 */
final class Probe {
  private static final Set<String> ENVELOPE_FIELDS = Set.of("message", "sender");
  private static final int CLOCK_BATCHES = 40;
  private static final int CLOCK_READS = 50_000;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final OperatingSystemMXBean system =
      (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
  private final MemoryMXBean memory = ManagementFactory.getMemoryMXBean();
  private final List<GarbageCollectorMXBean> collectors =
      ManagementFactory.getGarbageCollectorMXBeans();

  /** CPU time of the whole process, its compiler and collector threads among it. */
  long cpuNanos() {
    return system.getProcessCpuTime();
  }

  /**
   * Bytes allocated so far by all threads. From JDK 21 on the JVM counts ended threads too; before,
   * the threads alive now are summed.
   */
  long allocatedBytes() {
    try {
      return (long) ThreadMXBean.class.getMethod("getTotalThreadAllocatedBytes").invoke(threads);
    } catch (ReflectiveOperationException beforeJdk21) {
      return sum(threads.getThreadAllocatedBytes(threads.getAllThreadIds()));
    }
  }

  /** Bytes allocated so far by the calling thread and by Pekko's dispatcher threads alone. */
  long allocatedByActorsBytes() {
    long bytes = 0;
    long self = Thread.currentThread().getId();
    long[] ids = threads.getAllThreadIds();
    java.lang.management.ThreadInfo[] infos = threads.getThreadInfo(ids);
    for (int i = 0; i < ids.length; i++) {
      boolean dispatcher = infos[i] != null && infos[i].getThreadName().contains("-pekko.actor.");
      if (dispatcher || ids[i] == self) {
        bytes += Math.max(0, threads.getThreadAllocatedBytes(ids[i]));
      }
    }
    return bytes;
  }

  long collectionMillis() {
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionTime).sum();
  }

  long collections() {
    return collectors.stream().mapToLong(GarbageCollectorMXBean::getCollectionCount).sum();
  }

  /** Heap in use after two full collections. */
  long usedAfterCollectionBytes() {
    System.gc();
    System.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** The cost of one {@code System.nanoTime()} here: the best of many batches. */
  static double clockReadNanos() {
    double best = Double.MAX_VALUE;
    for (int batch = 0; batch < CLOCK_BATCHES; batch++) {
      long start = System.nanoTime();
      long last = start;
      for (int i = 0; i < CLOCK_READS; i++) {
        last = System.nanoTime();
      }
      best = Math.min(best, (last - start) / (double) CLOCK_READS);
    }
    return best;
  }

  /**
   * Adds what tells one JVM from another, and whether the agent really has changed Pekko's classes.
   */
  static void describe(Map<String, Object> result) {
    result.put("clock_read_ns", clockReadNanos());
    result.put("jdk", Runtime.version().toString());
    result.put(
        "vm", System.getProperty("java.vm.name") + " of " + System.getProperty("java.vendor"));
    result.put("envelope_fields_added", fieldsAddedToEnvelope());
  }

  private static List<String> fieldsAddedToEnvelope() {
    List<String> added = new ArrayList<>();
    for (Field field : org.apache.pekko.dispatch.Envelope.class.getDeclaredFields()) {
      if (!ENVELOPE_FIELDS.contains(field.getName())) {
        added.add(field.getName());
      }
    }
    return added;
  }

  private static long sum(long[] values) {
    long sum = 0;
    for (long value : values) {
      sum += Math.max(0, value);
    }
    return sum;
  }
}
