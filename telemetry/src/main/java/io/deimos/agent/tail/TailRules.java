// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.ReadableSpan;
import org.jspecify.annotations.Nullable;

/**
 * The rules of the settings. Immutable.
 *
 * @param enabled false to let everything pass
 * @param waitNanos a longer wait in a mailbox keeps a trace; 0 for none does
 * @param processingNanos a longer processing keeps a trace; 0 for none does
 * @param delayNanos how long after its first span a trace is decided
 * @param maxSpans how many spans may be held, one with more than numbers counting for {@link
 *     TailSampler#RARE_WEIGHT}
 * @param keptBelow normal traces whose spread number is below this are kept
 */
record TailRules(
    boolean enabled,
    long waitNanos,
    long processingNanos,
    long delayNanos,
    int maxSpans,
    long keptBelow) {
  static final TailRules OFF = new TailRules(false, 0, 0, 0, 0, 0);

  static TailRules of(Settings settings) {
    return new TailRules(
        settings.get(Keys.TAIL),
        settings.get(Keys.TAIL_WAIT).toNanos(),
        settings.get(Keys.TAIL_PROCESSING).toNanos(),
        settings.get(Keys.TAIL_DELAY).toNanos(),
        settings.get(Keys.TAIL_MAX_SPANS),
        below(settings.get(Keys.TAIL_KEEP)));
  }

  static long below(double share) {
    return share >= 1 ? Long.MAX_VALUE : (long) (share * Long.MAX_VALUE);
  }

  /** Whether the trace is kept even if nothing is the matter with it; the same on every node. */
  boolean isInShare(TraceId trace) {
    return keptBelow == Long.MAX_VALUE || trace.spread() < keptBelow;
  }

  /** Why this span keeps its trace; null if it does not. */
  @Nullable TailReason reason(SpanView span) {
    Rare rare = span.rare();
    TailReason told = rare == null ? null : told(span, rare);
    if (told != null) {
      return told;
    }
    boolean stashed = rare != null && rare.stashed();
    if (waitNanos > 0 && !stashed && span.start() - span.sent() > waitNanos) {
      return TailReason.WAIT;
    }
    return processingNanos > 0 && span.end() - span.start() > processingNanos
        ? TailReason.PROCESSING
        : null;
  }

  /** Why this span of another instrumentation keeps its trace; null if it does not. */
  @Nullable TailReason reason(ReadableSpan span) {
    if (span.toSpanData().getStatus().getStatusCode() == StatusCode.ERROR) {
      return TailReason.FAILURE;
    }
    return processingNanos > 0 && span.getLatencyNanos() > processingNanos
        ? TailReason.PROCESSING
        : null;
  }

  private static @Nullable TailReason told(SpanView span, Rare rare) {
    if (rare.error() != null) {
      return span.isAsk() && AskHooks.isTimeout(rare.error())
          ? TailReason.ASK_TIMEOUT
          : TailReason.FAILURE;
    }
    TailReason found = null;
    for (Incident incident : rare.incidents()) {
      if (incident.event() == EventName.DEAD_LETTER) {
        return TailReason.DEAD_LETTER;
      }
      if (incident.event() == EventName.STUCK) {
        found = TailReason.STUCK;
      }
    }
    return found;
  }
}
