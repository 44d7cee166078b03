// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.metrics.data.DoubleExemplarData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableDoubleExemplarData;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Spans that lead from a bucket of a duration histogram to a trace: one for each bucket, the last
 * that was looked at. Looks at one of {@value #ONE_IN} records, and each that took long.
 *
 * <p>Taken by the drainer's thread, read by any.
 */
public final class Exemplars implements SpanSink {
  private static final int ONE_IN = 64;
  private static final long LONG_NANOS = 10_000_000;

  private final int most;
  private final Map<Key, Exemplar> exemplars = new ConcurrentHashMap<>();
  private int seen;

  /**
   * @param most for how many pairs of actor and message class there are any
   */
  public Exemplars(int most) {
    this.most = most;
  }

  @Override
  public void accept(SpanView span) {
    if (++seen % ONE_IN != 0 && span.end() - span.start() < LONG_NANOS) {
      return;
    }
    ActorTelemetry actor = span.actor();
    if (actor == null || span.isAsk()) {
      return;
    }
    Key key = new Key(actor.kind(), span.message());
    Exemplar known = exemplars.get(key);
    if (known == null) {
      if (exemplars.size() >= most) {
        return;
      }
      known = exemplars.computeIfAbsent(key, k -> new Exemplar());
    }
    known.took(span);
  }

  List<DoubleExemplarData> processing(ActorKind kind, MessageClass message) {
    Exemplar known = exemplars.get(new Key(kind, message));
    return known == null ? List.of() : told(known.processing, true);
  }

  List<DoubleExemplarData> waiting(ActorKind kind, MessageClass message) {
    Exemplar known = exemplars.get(new Key(kind, message));
    return known == null ? List.of() : told(known.waiting, false);
  }

  private static List<DoubleExemplarData> told(
      AtomicReferenceArray<@Nullable Seen> of, boolean processing) {
    List<DoubleExemplarData> all = new ArrayList<>();
    for (int i = 0; i < of.length(); i++) {
      Seen span = of.get(i);
      if (span != null) {
        all.add(span.told(processing));
      }
    }
    return all;
  }

  private record Key(ActorKind kind, MessageClass message) {}

  /** The spans of one series. */
  private static final class Exemplar {
    final AtomicReferenceArray<@Nullable Seen> processing =
        new AtomicReferenceArray<>(Durations.BUCKETS);
    final AtomicReferenceArray<@Nullable Seen> waiting =
        new AtomicReferenceArray<>(Durations.BUCKETS);

    void took(SpanView span) {
      Seen one =
          new Seen(
              span.traceHi(), span.traceLo(), span.spanId(), span.sent(), span.start(), span.end());
      processing.setOpaque(Durations.bucket(one.processingNanos()), one);
      waiting.setOpaque(Durations.bucket(one.waitNanos()), one);
    }
  }

  /** One span, as far as an exemplar needs it. */
  private record Seen(long hi, long lo, long span, long sent, long start, long end) {
    long processingNanos() {
      return end - start;
    }

    long waitNanos() {
      return sent == 0 ? 0 : Math.max(0, start - sent);
    }

    DoubleExemplarData told(boolean processing) {
      return ImmutableDoubleExemplarData.create(
          Attributes.empty(),
          Clock.epochNanos(end),
          SpanContext.create(
              TraceId.fromLongs(hi, lo),
              SpanId.fromLong(span),
              TraceFlags.getSampled(),
              TraceState.getDefault()),
          (processing ? processingNanos() : waitNanos()) / 1e9);
    }
  }
}
