// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import io.deimos.agent.export.ExportCounts;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Encodes records into batches and sends each when it is full or old enough. While some are under
 * way the next is filled.
 *
 * <p><b>Threads.</b> The drainer's alone, but for {@link #closing} and {@link #awaitExport}.
 *
 * <p><b>Memory.</b> That of {@link BatchPool} (8 MiB) and of {@link EncodedNames} (a few hundred
 * bytes for each actor and message class, at most 18 MiB for actors).
 *
 * <p><b>Full.</b> When all batches are under way there is no room here, and records wait in their
 * rings, which drop the newest and count it. If other sinks wait as well, that lasts {@code
 * patienceNanos} at most; then, until a request is settled, records are taken for their sake and
 * counted as refused here.
 */
public final class DirectExport implements SpanSink {
  /** How large a span is taken to be when it is asked how many there is room for. */
  private static final int BYTES_PER_SPAN = 1024;

  private final RequestFrame frame;
  private final SpanEncoder encoder;
  private final BatchPool pool;
  private final Delivery delivery;
  private final ExportCounts counts;
  private final long delayNanos;
  private final long patienceNanos;
  private @Nullable Batch filling;
  private long nowNanos;
  private long fullSince;
  private boolean isFull;
  private boolean isLate;
  private volatile boolean closing;

  /**
   * @param patienceNanos how long other sinks may be kept waiting; {@link Long#MAX_VALUE} if there
   *     are none
   * @param onFailure told why a request was given up
   * @param onWarning told what the collector says of a request that it took whole
   */
  public DirectExport(
      OtlpRoute route,
      Resource resource,
      SpanLimits limits,
      ExportCounts counts,
      long patienceNanos,
      Consumer<String> onFailure,
      Consumer<String> onWarning) {
    this(
        route,
        resource,
        limits,
        counts,
        patienceNanos,
        onFailure,
        onWarning,
        BatchPool.BATCH_BYTES);
  }

  DirectExport(
      OtlpRoute route,
      Resource resource,
      SpanLimits limits,
      ExportCounts counts,
      long patienceNanos,
      Consumer<String> onFailure,
      Consumer<String> onWarning,
      int batchBytes) {
    this.frame = new RequestFrame(resource);
    this.encoder = new SpanEncoder(limits);
    this.pool = new BatchPool(frame.headBytes(), batchBytes);
    Memory.add(Memory.Purpose.CACHES, pool::bytes);
    this.delivery = new Delivery(route, pool, counts, onFailure, onWarning);
    this.counts = counts;
    this.delayNanos = route.delayNanos();
    this.patienceNanos = patienceNanos;
  }

  @Override
  public void accept(SpanView span) {
    if (isLate) {
      counts.refused(1);
      return;
    }
    Batch batch;
    try {
      batch = batchFor(encoder.prepare(span));
    } catch (Throwable t) {
      counts.failed(1);
      Faults.caught(t);
      return;
    }
    if (batch == null) {
      counts.refused(1);
    } else {
      encoder.write(span, batch, nowNanos);
    }
  }

  private @Nullable Batch batchFor(int bytes) {
    Batch batch = filling;
    if (batch != null && batch.left() >= bytes) {
      return batch;
    }
    send();
    batch = pool.take();
    if (batch != null && batch.left() < bytes) {
      pool.giveBack(batch);
      batch = null;
    }
    filling = batch == null ? pool.takeExtra(bytes) : batch;
    return filling;
  }

  private void send() {
    Batch batch = filling;
    if (batch != null && batch.spans() > 0) {
      filling = null;
      frame.seal(batch);
      delivery.send(batch);
    }
  }

  @Override
  public int room() {
    long now = Clock.now();
    nowNanos = now;
    Batch batch = filling;
    if (batch != null && batch.spans() > 0 && now - batch.sinceNanos() > delayNanos) {
      send();
    }
    int spans = spansThatFit();
    if (spans == 0) {
      send(); // what is nearly full is better under way
      spans = spansThatFit();
    }
    if (spans > 0) {
      isFull = false;
      isLate = false;
      return spans;
    }
    if (!isFull) {
      isFull = true;
      fullSince = now;
    }
    isLate = now - fullSince > patienceNanos;
    return isLate ? Integer.MAX_VALUE : 0;
  }

  private int spansThatFit() {
    Batch batch = filling;
    long bytes = pool.freeBytes() + (batch == null ? 0 : batch.left());
    return (int) (bytes / BYTES_PER_SPAN);
  }

  @Override
  public void flush() {
    if (closing) {
      send();
    }
  }

  /** From now on nothing waits for its batch to be full: the process ends. */
  public void closing() {
    closing = true;
  }

  /**
   * Waits until the collector has answered. Only when nothing is drained any more. Spans that it
   * has not answered by then count as unfinished.
   *
   * @return false if there is such
   */
  public boolean awaitExport(long timeoutMillis) {
    boolean all = false;
    send();
    try {
      all = delivery.await(timeoutMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    delivery.abandon();
    return all;
  }
}
