// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.pekko;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import org.apache.pekko.dispatch.Dispatcher;
import org.apache.pekko.dispatch.MessageDispatcher;
import scala.concurrent.ExecutionContextExecutor;

/**
 * Whether a dispatcher never runs its actors on the thread that sends to them. A pool with a
 * bounded queue does when that is full, and what a user's own executor does nobody knows.
 */
public final class HandOver {
  private static final String PEKKOS = "org.apache.pekko.dispatch.";

  /** As long as no queue gets that has no bound. */
  private static final int LONG = Integer.MAX_VALUE / 2;

  private HandOver() {}

  /** A dispatcher that runs no task on the thread that gives it, by way of another if need be. */
  public static Executor to(MessageDispatcher dispatcher, ExecutionContextExecutor way) {
    return isSure(dispatcher) ? dispatcher : task -> way.execute(() -> dispatcher.execute(task));
  }

  public static boolean isSure(MessageDispatcher dispatcher) {
    return dispatcher.getClass() == Dispatcher.class
        && isSure(((Dispatcher) dispatcher).executorService().executor());
  }

  public static boolean isSure(ExecutorService executor) {
    Class<?> type = executor.getClass();
    if (executor instanceof ForkJoinPool) {
      return type == ForkJoinPool.class || type.getName().startsWith(PEKKOS);
    }
    return executor instanceof ThreadPoolExecutor pool
        && type == ThreadPoolExecutor.class
        && pool.getQueue().getClass() == LinkedBlockingQueue.class
        && pool.getQueue().remainingCapacity() > LONG;
  }
}
