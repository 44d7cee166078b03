// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.agent.tap.SpanTap;
import io.deimos.recorder.base.Faults;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Stands first among the SDK's span processors: gives the store the spans that others have made,
 * and, when the SDK shuts down, has the rings emptied before the processors behind it end.
 */
public final class StoreProcessor extends EndedSpans {
  private final @Nullable Consumer<SpanData> store;
  private final @Nullable SpanTap tap;
  private final Runnable beforeShutdown;

  /**
   * @param store takes a span from the thread that ends it; null if the page is off
   * @param tap null if no test listens
   */
  public StoreProcessor(
      @Nullable Consumer<SpanData> store, @Nullable SpanTap tap, Runnable beforeShutdown) {
    this.store = store;
    this.tap = tap;
    this.beforeShutdown = beforeShutdown;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    try {
      if (span instanceof LateSpan || !span.getSpanContext().isSampled()) {
        return;
      }
      if (store != null) {
        store.accept(span.toSpanData());
      }
      if (tap != null) {
        tap.accept(span.toSpanData());
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }

  @Override
  public boolean isEndRequired() {
    return store != null || tap != null;
  }

  @Override
  public CompletableResultCode shutdown() {
    try {
      beforeShutdown.run();
    } catch (Throwable t) {
      Faults.caught(t);
    }
    return CompletableResultCode.ofSuccess();
  }
}
