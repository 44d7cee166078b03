// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.recorder.ring.DrainerPause;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Spans that OpenTelemetry has made, on their way to the store: whoever ends a span waits neither
 * for the store's lock nor for its choice of traces.
 *
 * <p><b>Threads.</b> Any thread offers; the drainer takes.
 *
 * <p><b>Full.</b> A span is refused; the caller counts it. One with much text takes the room of
 * several, as in the store, and is taken alone if it needs more than all. A queue that is half full
 * ends the drainer's pause.
 */
final class MadeSpans {
  /** In spans as the store counts them, one for each {@link StoreLimits#TEXT_PER_SPAN}. */
  static final int CAPACITY = 2_048;

  private final Queue<Made> queue = new ConcurrentLinkedQueue<>();
  private final AtomicLong weight = new AtomicLong();

  /** A span, and as how many it counts. */
  private record Made(SpanData span, int weight) {}

  /** Returns false if there is no room. */
  boolean offer(SpanData span) {
    Made one = new Made(span, StoredSpans.weight(span));
    long now = weight.addAndGet(one.weight());
    long before = now - one.weight();
    if (now > CAPACITY && before > 0) {
      weight.addAndGet(-one.weight());
      return false;
    }
    queue.add(one);
    if (now >= CAPACITY / 2 && before < CAPACITY / 2) {
      DrainerPause.end();
    }
    return true;
  }

  /** The next one; null if there is none. */
  @Nullable SpanData poll() {
    Made next = queue.poll();
    if (next == null) {
      return null;
    }
    weight.addAndGet(-next.weight());
    return next.span();
  }

  long bytes() {
    return weight.get() * StoreLimits.TEXT_PER_SPAN;
  }
}
