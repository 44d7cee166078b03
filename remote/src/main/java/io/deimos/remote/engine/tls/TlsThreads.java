// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.tls;

import io.netty.util.concurrent.DefaultThreadFactory;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Where certificates are checked, which may take long and run a user's code: some threads for
 * accepted connections, and some others for our own, so that strangers do not keep these waiting.
 * There are no threads while there is nothing to check.
 */
final class TlsThreads {
  private static final int ACCEPTED = 8;
  private static final int OUTGOING = 4;
  private static final int MAX_OUTGOING_WAITING = 1024;
  private static final int IDLE_SECONDS = 5;

  private final ThreadPoolExecutor accepted;
  private final ThreadPoolExecutor outgoing;

  /**
   * Makes them, without a thread yet.
   *
   * @param maxStrangers checks of accepted connections that may wait
   */
  TlsThreads(String system, int maxStrangers) {
    accepted = pool(system + "-deimos-remote-tls-accepted", ACCEPTED, maxStrangers);
    outgoing = pool(system + "-deimos-remote-tls-outgoing", OUTGOING, MAX_OUTGOING_WAITING);
  }

  private static ThreadPoolExecutor pool(String name, int threads, int maxWaiting) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            threads,
            threads,
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new LinkedBlockingQueue<>(maxWaiting),
            new DefaultThreadFactory(name, true));
    pool.allowCoreThreadTimeOut(true);
    return pool;
  }

  Executor accepted() {
    return accepted;
  }

  Executor outgoing() {
    return outgoing;
  }

  /** Ends the threads, and what they are doing if it can be interrupted. */
  void close() {
    accepted.shutdownNow();
    outgoing.shutdownNow();
  }
}
