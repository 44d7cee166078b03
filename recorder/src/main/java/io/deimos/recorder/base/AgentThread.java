// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Makes the agent's threads, all of them. Each is a daemon, is counted while it runs, and has
 * nothing of the thread that makes it: no context class loader, no thread-locals, and no group or
 * access rights if it is made by one of the agent's own, as all are that begin with an application.
 * A failure on it is a fault, and never reaches the application's handler of uncaught exceptions.
 *
 * <p>The name comes first and is written out, {@code "deimos-…"}: {@code FailingThreadsTest} reads
 * the names in the sources, and has a failure for each.
 */
public final class AgentThread {
  private static final AtomicInteger RUNNING = new AtomicInteger();

  private AgentThread() {}

  /** A thread that runs. */
  public static Thread start(String name, Runnable task) {
    Thread thread = make(name, task);
    thread.start();
    return thread;
  }

  /** A thread that does not run yet. */
  public static Thread make(String name, Runnable task) {
    Thread thread = new Thread(null, () -> run(task), name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    return thread;
  }

  /** Makes the threads of a pool, which are numbered. */
  public static ThreadFactory factory(String name) {
    AtomicInteger number = new AtomicInteger();
    return task -> make(name + "-" + number.incrementAndGet(), task);
  }

  private static void run(Runnable task) {
    RUNNING.incrementAndGet();
    try {
      task.run();
    } catch (Throwable t) {
      Faults.caught(t);
    } finally {
      RUNNING.decrementAndGet();
    }
  }

  /** How many there are now. */
  public static int running() {
    return RUNNING.get();
  }
}
