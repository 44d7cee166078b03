// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import java.util.Deque;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The buffers of all requests: {@value #BATCHES} of {@value #BATCH_BYTES} bytes at most, made when
 * first needed, so at most that many requests are under way. Beyond them there are at most {@value
 * #EXTRA} for single spans that are larger than what was expected of them; these are not kept.
 *
 * <p><b>Threads.</b> {@link #take} and {@link #takeExtra} by the drainer, {@link #giveBack} by any.
 */
final class BatchPool {
  static final int BATCHES = 8;

  /** With what a request begins with, no more than a MiB: on G1 a little more takes two regions. */
  static final int BATCH_BYTES = (1 << 20) - (16 << 10);

  static final int EXTRA = 4;
  static final int MAX_EXTRA_BYTES = 4 << 20;

  private final Deque<Batch> free = new ConcurrentLinkedDeque<>();
  private final AtomicInteger lent = new AtomicInteger();
  private final AtomicInteger extra = new AtomicInteger();
  private final AtomicInteger made = new AtomicInteger();
  private final int headBytes;
  private final int batchBytes;

  BatchPool(int headBytes, int batchBytes) {
    this.headBytes = headBytes;
    this.batchBytes = batchBytes;
  }

  /** An empty batch, or null if all are under way. */
  @Nullable Batch take() {
    if (lent.get() == BATCHES) {
      return null;
    }
    Batch batch = free.pollFirst(); // the one used last is in the processor's cache
    lent.incrementAndGet();
    if (batch == null) {
      made.incrementAndGet();
      return new Batch(headBytes, batchBytes, true);
    }
    return batch;
  }

  /** A batch for a span of this size, or null if that is too much. */
  @Nullable Batch takeExtra(int bytes) {
    if (bytes > MAX_EXTRA_BYTES || extra.get() == EXTRA) {
      return null;
    }
    extra.incrementAndGet();
    return new Batch(headBytes, Math.max(bytes, batchBytes), false);
  }

  void giveBack(Batch batch) {
    if (batch.pooled) {
      batch.clear();
      free.addFirst(batch);
      lent.decrementAndGet();
    } else {
      extra.decrementAndGet();
    }
  }

  /** Bytes of all batches that there are, but for a few larger ones. */
  long bytes() {
    return (long) (made.get() + extra.get()) * (headBytes + batchBytes);
  }

  /** Bytes of the batches that can be taken now. */
  long freeBytes() {
    return (long) (BATCHES - lent.get()) * batchBytes;
  }
}
