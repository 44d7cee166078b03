// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.export;

import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Hands records to the SDK's span processors as finished spans, no faster than they export.
 *
 * <p><b>Threads.</b> The drainer's alone, but for {@link #awaitExport}.
 *
 * <p><b>Pace.</b> At most half a batch processor's queue is under way; then the processors are
 * flushed, and meanwhile there is no room here, so records wait in their rings.
 *
 * <p><b>Full.</b> A flush that takes longer than {@value #PATIENCE_MILLIS} ms means that the
 * endpoint is away or too slow. Until it is over, records are taken all the same, for the other
 * sinks' sake, and counted as refused here.
 */
public final class SpanExport implements SpanSink {
  private static final long PATIENCE_MILLIS = 2_000;
  private static final long RETRY_NANOS = 100_000;

  private final List<SpanProcessor> processors;
  private final Resource resource;
  private final SpanLimits limits;
  private final ExportCounts counts;
  private final boolean exportersCount;
  private final int atMost;
  private final long patienceNanos;

  /** The last answer of each processor. */
  private final @Nullable CompletableResultCode[] flushes;

  private long handed;
  private long settled;
  private long lost;
  private long suspect;
  private @Nullable CompletableResultCode flush;
  private long flushSince;

  /** Since when a processor answers with the flush before; 0 if none does. */
  private long repeatedSince;

  private boolean isLate;

  /**
   * @param queueSize of the batch processor with the smallest queue
   * @param exportersCount whether {@link CountingExporter}s tell what was exported; else what was
   *     handed over counts as such
   */
  public SpanExport(
      List<SpanProcessor> processors,
      Resource resource,
      SpanLimits limits,
      ExportCounts counts,
      boolean exportersCount,
      int queueSize) {
    this(
        processors,
        resource,
        limits,
        counts,
        exportersCount,
        queueSize,
        TimeUnit.MILLISECONDS.toNanos(PATIENCE_MILLIS));
  }

  SpanExport(
      List<SpanProcessor> processors,
      Resource resource,
      SpanLimits limits,
      ExportCounts counts,
      boolean exportersCount,
      int queueSize,
      long patienceNanos) {
    this.processors = processors;
    this.resource = resource;
    this.limits = limits;
    this.counts = counts;
    this.exportersCount = exportersCount;
    this.atMost = Math.max(1, queueSize / 2);
    this.patienceNanos = patienceNanos;
    this.flushes = new CompletableResultCode[processors.size()];
  }

  @Override
  public void accept(SpanView view) {
    if (isLate) {
      counts.refused(1);
      return;
    }
    LateSpan span = new LateSpan(RecordedSpan.exported(view, resource), limits);
    handed++;
    for (SpanProcessor processor : processors) {
      processor.onEnd(span);
    }
    if (!exportersCount) {
      counts.exported(1);
    }
  }

  @Override
  public int room() {
    if (flush != null && !flushed()) {
      return isLate ? Integer.MAX_VALUE : 0;
    }
    if (handed - settled < atMost) {
      return (int) (atMost - (handed - settled));
    }
    CompletableResultCode begun = flushAll();
    if (begun == null) {
      return 0;
    }
    flush = begun;
    flushSince = Clock.now();
    return flushed() ? atMost : 0;
  }

  /**
   * Has all processors flushed. A batch processor that is just done with a flush may answer the
   * next with the same, or with a plain success, before it has looked at what it was handed since.
   *
   * <p>One that always answers with the same is believed when patience is over; what answers with
   * the SDK's own constants is believed at once.
   *
   * @return null if one has done so: to be tried again
   */
  private @Nullable CompletableResultCode flushAll() {
    List<CompletableResultCode> results = new ArrayList<>(flushes.length);
    for (int i = 0; i < flushes.length; i++) {
      SpanProcessor processor = processors.get(i);
      CompletableResultCode result = processor.forceFlush();
      if (result == CompletableResultCode.ofSuccess()) {
        result = processor.forceFlush();
      }
      if (result == flushes[i] && !isConstant(result) && result.isDone() && isPatient()) {
        return null;
      }
      flushes[i] = result;
      results.add(result);
    }
    repeatedSince = 0;
    return CompletableResultCode.ofAll(results);
  }

  private static boolean isConstant(CompletableResultCode result) {
    return result == CompletableResultCode.ofSuccess()
        || result == CompletableResultCode.ofFailure();
  }

  private boolean isPatient() {
    long now = Clock.now();
    if (repeatedSince == 0) {
      repeatedSince = now;
    }
    return now - repeatedSince <= patienceNanos;
  }

  /** Whether the flush under way is over; then what it did not export is lost. */
  private boolean flushed() {
    CompletableResultCode running = flush;
    if (running == null) {
      return true;
    }
    if (!running.isDone()) {
      isLate = Clock.now() - flushSince > patienceNanos;
      return false;
    }
    flush = null;
    isLate = false;
    settle();
    return true;
  }

  /**
   * Spans that two flushes in a row did not export are lost; processors of others may be late, too.
   */
  private void settle() {
    if (!exportersCount) {
      settled = handed;
      return;
    }
    long missing = handed - (counts.exported() + counts.failed()) - lost;
    if (missing > 0 && suspect > 0) {
      long gone = Math.min(missing, suspect);
      counts.refused(gone);
      lost += gone;
      missing -= gone;
    }
    suspect = Math.max(0, missing);
    settled = handed - suspect;
  }

  /**
   * Waits until the processors have exported what they were handed. Only when nothing is drained
   * any more. Spans that they have not exported by then count as unfinished.
   *
   * @return false if there is such
   */
  public boolean awaitExport(long timeoutMillis) {
    boolean all = awaitFlushes(timeoutMillis);
    if (!all && exportersCount) {
      counts.unfinished(Math.max(0, handed - counts.exported() - counts.failed() - lost));
    }
    return all;
  }

  private boolean awaitFlushes(long timeoutMillis) {
    long deadline = Clock.now() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    for (int tries = 0; tries == 0 || (tries < 3 && handed != settled); tries++) {
      CompletableResultCode last = flushAll();
      while (last == null) {
        if (Clock.now() - deadline > 0) {
          return false;
        }
        LockSupport.parkNanos(RETRY_NANOS);
        last = flushAll();
      }
      last.join(Math.max(0, deadline - Clock.now()), TimeUnit.NANOSECONDS);
      if (!last.isDone()) {
        return false;
      }
      settle();
    }
    return true;
  }
}
