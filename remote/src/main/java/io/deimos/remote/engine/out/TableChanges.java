// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.out;

import io.deimos.remote.engine.task.SerialTask;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import org.apache.pekko.Done;

/**
 * Changes of a lane's compression tables, made one after the other in the order in which they were
 * asked for: the table of a peer's former incarnation must not come after the clearing for the new
 * one. They are made between two batches, but never wait for a link that is full.
 *
 * <p><b>Threads.</b> {@link #make} is for any; the changes run on the executor, under the lock that
 * the lane encodes under.
 */
final class TableChanges {
  private final Executor executor;
  private final Object encoding;
  private final Queue<Change> changes = new ConcurrentLinkedQueue<>();
  private final SerialTask task = new SerialTask(this::submit);

  TableChanges(Executor executor, Object encoding) {
    this.executor = executor;
    this.encoding = encoding;
  }

  CompletableFuture<Done> make(Runnable change) {
    CompletableFuture<Done> done = new CompletableFuture<>();
    changes.add(new Change(change, done));
    task.wake();
    return done;
  }

  private void submit() {
    try {
      executor.execute(this::run);
    } catch (RejectedExecutionException e) {
      do {
        for (Change next = changes.poll(); next != null; next = changes.poll()) {
          next.done.completeExceptionally(e); // the system is down
        }
      } while (!task.tryRelease());
    }
  }

  private void run() {
    for (Change next = changes.poll(); next != null; next = changes.poll()) {
      try {
        synchronized (encoding) {
          next.tables.run();
        }
        next.done.complete(Done.getInstance());
      } catch (RuntimeException e) {
        next.done.completeExceptionally(e);
      }
    }
    task.finish();
  }

  /** A change, and how its end is told. */
  private record Change(Runnable tables, CompletableFuture<Done> done) {}
}
