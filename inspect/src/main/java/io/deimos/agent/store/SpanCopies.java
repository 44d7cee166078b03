// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * The form in which the store keeps a record: a light {@link RecordedSpan}, unless too much is
 * beside it. Then it is a {@link PlainSpan}, since the store must not keep the application's
 * exceptions and messages alive.
 *
 * <p>So many failures a second have their stack traces; to print one takes long. Belongs to the
 * drainer.
 */
final class SpanCopies {
  private static final int STACK_TRACES_PER_SECOND = 20;
  private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final LongSupplier clock;
  private long stackTracesSince;
  private int stackTraces;

  SpanCopies(LongSupplier clock) {
    this.clock = clock;
    this.stackTracesSince = clock.getAsLong();
  }

  /** May print references and exceptions, and so call the application: not under a lock. */
  SpanData of(SpanView view, boolean trouble) {
    if (RecordedSpan.isLight(view.rare())) {
      return RecordedSpan.light(view);
    }
    RecordedSpan copy = new RecordedSpan(view, Resource.empty());
    return trouble && !mayPrintStackTrace()
        ? PlainSpan.withoutStackTrace(copy)
        : PlainSpan.of(copy);
  }

  private boolean mayPrintStackTrace() {
    long now = clock.getAsLong();
    if (now - stackTracesSince >= SECOND_NANOS) {
      stackTracesSince = now;
      stackTraces = 0;
    }
    return stackTraces++ < STACK_TRACES_PER_SECOND;
  }
}
