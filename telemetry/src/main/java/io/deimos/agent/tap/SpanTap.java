// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tap;

import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/**
 * Tells every span to who listens: those of actors on the drainer's thread, others on their own.
 */
public final class SpanTap implements SpanSink {
  private final List<Consumer<Map<String, Object>>> listeners = new CopyOnWriteArrayList<>();

  /** Returns what ends it. */
  Runnable listen(Consumer<Map<String, Object>> told) {
    listeners.add(told);
    return () -> listeners.remove(told);
  }

  @Override
  public void accept(SpanView span) {
    if (!listeners.isEmpty()) {
      tell(PlainSpan.of(new RecordedSpan(span, Resource.empty())));
    }
  }

  /** A span that OpenTelemetry has made. */
  public void accept(SpanData span) {
    if (!listeners.isEmpty()) {
      tell(span);
    }
  }

  private void tell(SpanData span) {
    Map<String, Object> told = TapMaps.span(span);
    for (Consumer<Map<String, Object>> listener : listeners) {
      try {
        listener.accept(told);
      } catch (Throwable t) {
        Faults.caught(t);
      }
    }
  }
}
