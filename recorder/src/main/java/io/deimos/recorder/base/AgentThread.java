// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

/**
 * Makes the agent's threads. They are daemons, and have nothing of the thread that starts them: no
 * context class loader, no thread-locals, and no group or access rights if they are started by one
 * of the agent's own, as all are that begin with an application.
 */
public final class AgentThread {
  private AgentThread() {}

  public static Thread start(String name, Runnable task) {
    Thread thread = new Thread(null, task, name, 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(null);
    thread.start();
    return thread;
  }
}
