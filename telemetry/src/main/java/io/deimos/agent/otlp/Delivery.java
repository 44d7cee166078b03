// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.export.ExportCounts;
import io.deimos.recorder.base.Faults;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * Requests on their way to the collector, and what becomes of them. The sender retries what OTLP
 * says may be retried, see {@link OtlpRoute}; what it gives up is counted as failed and told once,
 * until a request succeeds again. Safe for any thread.
 */
final class Delivery {
  private final OtlpSender sender;
  private final ExporterHealth health;
  private final BatchPool pool;
  private final ExportCounts counts;
  private final Consumer<String> onFailure;
  private final Consumer<String> onWarning;
  private final Set<Batch> underWay = new HashSet<>();
  private boolean failing;
  private boolean abandoned;

  /**
   * @param onFailure told why a request was given up
   * @param onWarning told what the collector says of a request that it took whole
   */
  Delivery(
      OtlpRoute route,
      BatchPool pool,
      ExportCounts counts,
      Consumer<String> onFailure,
      Consumer<String> onWarning) {
    this.sender = route.sender();
    this.health = route.health();
    this.pool = pool;
    this.counts = counts;
    this.onFailure = onFailure;
    this.onWarning = onWarning;
  }

  void send(Batch batch) {
    synchronized (this) {
      underWay.add(batch);
    }
    ExporterHealth.Sending sending = health.begin(batch.spans());
    try {
      sender.send(
          batch,
          reply -> {
            sending.answered(reply);
            settle(batch, reply);
          },
          error -> lost(batch, sending, error));
    } catch (Throwable t) {
      lost(batch, sending, t);
    }
  }

  private void lost(Batch batch, ExporterHealth.Sending sending, Throwable error) {
    sending.failed(error);
    lost(batch, reason(error));
  }

  /**
   * Anything may go wrong with an answer: the batch comes back, or there would soon be none left.
   */
  private void settle(Batch batch, OtlpReply reply) {
    try {
      answered(batch, reply);
    } catch (Throwable t) {
      Faults.caught(t);
      lost(batch, reason(t));
    }
  }

  private void answered(Batch batch, OtlpReply reply) {
    if (!reply.isTaken()) {
      lost(batch, reply.status());
      return;
    }
    PartialSuccess partial = PartialSuccess.of(reply.message());
    long rejected = Math.min(batch.spans(), partial.rejected());
    tell(
        rejected > 0, "the collector rejected " + rejected + " spans of a request" + partial.why());
    if (rejected == 0 && !partial.words().isEmpty()) {
      counts.warned();
      onWarning.accept(partial.words());
    }
    settle(batch, batch.spans() - rejected, rejected);
  }

  private void lost(Batch batch, String reason) {
    tell(true, reason);
    settle(batch, 0, batch.spans());
  }

  private void tell(boolean failed, String reason) {
    boolean first;
    synchronized (this) {
      first = failed && !failing && !abandoned;
      failing = failed;
    }
    if (first) {
      onFailure.accept(reason);
    }
  }

  private synchronized void settle(Batch batch, long exported, long failed) {
    if (!underWay.remove(batch)) {
      return;
    }
    if (!abandoned) {
      counts.exported(exported);
      counts.failed(failed);
    }
    pool.giveBack(batch);
    notifyAll();
  }

  /**
   * Waits until all requests are settled.
   *
   * @return false if that took longer
   */
  synchronized boolean await(long timeoutMillis) throws InterruptedException {
    long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (long left = 1; !underWay.isEmpty() && left > 0; ) {
      left = TimeUnit.NANOSECONDS.toMillis(until - System.nanoTime());
      if (left > 0) {
        wait(left);
      }
    }
    return underWay.isEmpty();
  }

  /** Gives up what is under way, which counts as unfinished, and ends the sender. */
  void abandon() {
    synchronized (this) {
      if (abandoned) {
        return;
      }
      abandoned = true;
      counts.unfinished(underWay.stream().mapToLong(Batch::spans).sum());
    }
    sender.shutdown();
  }

  private static String reason(Throwable error) {
    return String.valueOf(error);
  }
}
