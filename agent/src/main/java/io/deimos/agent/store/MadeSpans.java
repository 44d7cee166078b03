// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.recorder.ring.DrainerPause;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Spans that OpenTelemetry has made, on their way to the store: whoever ends a span waits neither
 * for the store's lock nor for its choice of traces.
 *
 * <p><b>Threads.</b> Any thread offers; the drainer takes.
 *
 * <p><b>Full.</b> A span is refused; the caller counts it. A queue that is half full ends the
 * drainer's pause.
 */
final class MadeSpans {
  static final int CAPACITY = 2_048;

  /** About what one takes while it waits, with its attributes. */
  private static final int SPAN_BYTES = 1_024;

  private final Queue<SpanData> queue = new ConcurrentLinkedQueue<>();
  private final AtomicInteger size = new AtomicInteger();

  /** Returns false if there is no room. */
  boolean offer(SpanData span) {
    int now = size.incrementAndGet();
    if (now > CAPACITY) {
      size.decrementAndGet();
      return false;
    }
    queue.add(span);
    if (now == CAPACITY / 2) {
      DrainerPause.end();
    }
    return true;
  }

  /** The next one; null if there is none. */
  @Nullable SpanData poll() {
    SpanData next = queue.poll();
    if (next != null) {
      size.decrementAndGet();
    }
    return next;
  }

  long bytes() {
    return (long) size.get() * SPAN_BYTES;
  }
}
