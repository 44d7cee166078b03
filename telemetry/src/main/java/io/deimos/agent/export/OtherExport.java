// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.agent.tail.OtherSink;
import io.deimos.recorder.clock.Clock;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Hands the spans of other instrumentations that tail sampling kept to the SDK's span processors,
 * no faster than they export.
 *
 * <p><b>Pace.</b> A quarter of a batch processor's queue; then the processors are flushed, and
 * there is no room until that is done. Ours have the half, in {@link SpanExport}.
 *
 * <p><b>Full.</b> A flush that takes longer than {@value #PATIENCE_SECONDS} s is not waited for.
 * The processors then drop what they have no room for, and count it, as they would without us.
 */
public final class OtherExport implements OtherSink {
  private static final long PATIENCE_SECONDS = 2;

  private final List<SpanProcessor> processors;
  private final int atMost;
  private int handed;
  private @Nullable CompletableResultCode flush;
  private long flushSince;

  /**
   * @param queueSize of the batch processor with the smallest queue
   */
  public OtherExport(List<SpanProcessor> processors, int queueSize) {
    this.processors = processors;
    this.atMost = Math.max(1, queueSize / 4);
  }

  @Override
  public int room() {
    CompletableResultCode running = flush;
    if (running != null) {
      boolean isPatient = Clock.now() - flushSince < TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
      if (!running.isDone() && isPatient) {
        return 0;
      }
      flush = null;
      handed = 0;
    }
    if (handed >= atMost) {
      flush =
          CompletableResultCode.ofAll(processors.stream().map(SpanProcessor::forceFlush).toList());
      flushSince = Clock.now();
      return 0;
    }
    return atMost - handed;
  }

  @Override
  public void accept(ReadableSpan span) {
    handed++;
    for (SpanProcessor processor : processors) {
      processor.onEnd(span);
    }
  }
}
