// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.agent.tail.TailSampler;
import io.deimos.recorder.base.Faults;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;

/**
 * Stands where the SDK hands ended spans to the processors that export them, and gives those of
 * other instrumentations to tail sampling. Ours do not come this way. Safe for any thread.
 */
final class TailGate extends EndedSpans {
  private final List<SpanProcessor> processors;
  private final TailSampler tail;

  TailGate(List<SpanProcessor> processors, TailSampler tail) {
    this.processors = processors;
    this.tail = tail;
  }

  @Override
  public void onEnd(ReadableSpan span) {
    try {
      if (span.getSpanContext().isSampled() && tail.ended(span)) {
        return;
      }
    } catch (Throwable t) {
      Faults.caught(t);
    }
    for (SpanProcessor processor : processors) {
      processor.onEnd(span);
    }
  }

  @Override
  public boolean isEndRequired() {
    return true;
  }
}
