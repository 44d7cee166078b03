// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Lanes;
import java.lang.ref.WeakReference;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The platform threads of this process, and which dispatcher each belongs to. Pekko names a
 * dispatcher's threads after its actor system, its id, and a number.
 */
public final class PoolThreads {
  private static final String VIRTUAL = "virtual-thread-";

  private PoolThreads() {}

  /** All platform threads that live now. */
  public static List<Thread> all() {
    ThreadGroup root = Thread.currentThread().getThreadGroup();
    while (root != null && root.getParent() != null) {
      root = root.getParent();
    }
    if (root == null) {
      return List.of(); // this thread ends
    }
    Thread[] found = new Thread[root.activeCount() + 64];
    int count = root.enumerate(found);
    return Arrays.asList(found).subList(0, count);
  }

  /** The lanes by the threads that own them now. */
  public static Map<Thread, Lane> lanes() {
    Map<Thread, Lane> lanes = new HashMap<>();
    for (Lane lane : Lanes.all()) {
      WeakReference<Thread> owner = lane.owner;
      Thread thread = owner == null ? null : owner.get();
      if (thread != null) {
        lanes.put(thread, lane);
      }
    }
    return lanes;
  }

  /** The present work of a thread; null for nothing that is known. */
  public static @Nullable AtWork atWork(Thread thread, Map<Thread, Lane> lanes) {
    Lane lane = lanes.get(thread);
    return lane == null ? null : AtWork.of(lane);
  }

  /** Whether a thread is of a dispatcher. */
  public static boolean isOf(String thread, String system, String dispatcher) {
    int at = system.length() + 1 + dispatcher.length() + 1;
    if (thread.length() <= at
        || !thread.startsWith(system)
        || !thread.startsWith("-" + dispatcher + "-", system.length())) {
      return false;
    }
    String number = thread.substring(thread.startsWith(VIRTUAL, at) ? at + VIRTUAL.length() : at);
    return !number.isEmpty() && number.chars().allMatch(c -> c >= '0' && c <= '9');
  }

  /** Whether a stack is that of a pool's thread that waits for work. */
  public static boolean isIdle(StackTraceElement[] stack) {
    for (StackTraceElement frame : stack) {
      String type = frame.getClassName();
      String method = frame.getMethodName();
      if ((type.equals("java.util.concurrent.ForkJoinPool") && method.equals("awaitWork"))
          || (type.equals("java.util.concurrent.ThreadPoolExecutor") && method.equals("getTask"))
          || type.endsWith(".AffinityPool$IdleStrategy")) {
        return true;
      }
    }
    return stack.length == 0;
  }
}
