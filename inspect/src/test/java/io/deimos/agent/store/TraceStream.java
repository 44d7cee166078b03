// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Traces as an application makes them, in a store, by a clock of its own. A trace is a chain of
 * messages; their spans come one by one, children before their parents, the root last.
 */
final class TraceStream {
  static final long SECOND = 1_000_000_000L;

  private static final long FORGOTTEN = 600 * SECOND;
  private static final int NODES = 10;

  private final TraceStore store;
  private final Records records;
  private final PriorityQueue<Coming> coming =
      new PriorityQueue<>(Comparator.comparingLong(Coming::atNanos));
  private final Deque<Failing> failing = new ArrayDeque<>();
  private final Random random = new Random(5);
  private long now = Clock.now();
  private long lastHi;
  private long lastLo;

  TraceStream(StoreLimits limits) {
    this.store = new TraceStore(limits, () -> now);
    this.records = new Records(store);
  }

  private record Coming(long atNanos, Runnable span) {}

  /** A trace that fails, from its begin until its last span. */
  private record Failing(String id, String why, long beganNanos, long endNanos) {}

  TraceStore store() {
    return store;
  }

  /** A trace without trouble. */
  void ordinary(int spans) {
    chain(spans, SECOND / 10, 0, null);
  }

  /** A trace in which the last message but the first fails. */
  void failing(int spans, Throwable why) {
    chain(spans, 3 * SECOND / 2, 0, why);
  }

  /** The same, and the log names it before its spans come. */
  void failingAndNamed(int spans, Throwable why) {
    chain(spans, 3 * SECOND / 2, 0, why);
    store.pin(lastHi, lastLo);
  }

  /** The same, after nothing has come for so long, as when an ask waits. */
  void failingLate(int spans, long waitNanos, Throwable why) {
    chain(spans, SECOND / 10, waitNanos, why);
  }

  private void chain(int spans, long overNanos, long waitNanos, @Nullable Throwable why) {
    long hi = random.nextLong();
    long lo = random.nextLong();
    lastHi = hi;
    lastLo = lo;
    for (int i = 0; i < spans; i++) {
      int id = spans - i;
      boolean waits = id <= 2;
      long at = now + overNanos * (i + 1) / spans + (waits ? waitNanos : 0);
      Throwable error = id == 2 ? why : null;
      coming.add(new Coming(at, () -> message(hi, lo, id, error)));
    }
    note(hi, lo, why, overNanos + waitNanos);
  }

  private void note(long hi, long lo, @Nullable Throwable why, long takesNanos) {
    if (why != null) {
      String kind = why.getClass().getSimpleName();
      failing.add(new Failing(TraceId.fromLongs(hi, lo), kind, now, now + takesNanos));
    }
  }

  private void message(long hi, long lo, long id, @Nullable Throwable error) {
    Rare rare = error == null ? null : new Rare(error, null, null, null);
    records.processed(hi, lo, id, id - 1, now - 2_000, now - 1_000, 1_000, null, null, rare);
  }

  /**
   * A trace over several processes, each of which sends its spans a second after the one before.
   */
  void failingOverNodes(int spans, Throwable why) {
    long hi = random.nextLong();
    long lo = random.nextLong();
    for (int i = 0; i < spans; i++) {
      int id = spans - i;
      String node = "node-" + id % NODES;
      long at = now + i % 3 * SECOND;
      StatusData status = id == 2 ? StatusData.error() : StatusData.unset();
      coming.add(new Coming(at, () -> store.adopt(List.of(span(hi, lo, id, status, node)))));
    }
    note(hi, lo, why, 2 * SECOND);
  }

  private SpanData span(long hi, long lo, long id, StatusData status, String node) {
    return TestSpanData.builder()
        .setHasEnded(true)
        .setName("process Place")
        .setKind(SpanKind.CONSUMER)
        .setStatus(status)
        .setResource(Resource.builder().put(TraceStore.NODE, node).build())
        .setSpanContext(context(hi, lo, id))
        .setParentSpanContext(id == 1 ? SpanContext.getInvalid() : context(hi, lo, id - 1))
        .setStartEpochNanos(Clock.epochNanos(now - 2_000))
        .setEndEpochNanos(Clock.epochNanos(now))
        .build();
  }

  private static SpanContext context(long hi, long lo, long id) {
    return SpanContext.create(
        TraceId.fromLongs(hi, lo),
        SpanId.fromLong(id),
        TraceFlags.getSampled(),
        TraceState.getDefault());
  }

  /** Lets time pass, and what is to come until then. */
  void pass(long nanos) {
    long until = now + nanos;
    while (!coming.isEmpty() && coming.peek().atNanos <= until) {
      Coming next = coming.remove();
      now = Math.max(now, next.atNanos);
      next.span.run();
    }
    now = until;
    store.flush();
  }

  /** The share that is whole in the store of the failed traces that ended, and began since then. */
  double whole(long oldestNanos) {
    return whole(oldestNanos, "");
  }

  /** The same of those that fail with this, if it is not empty. */
  double whole(long oldestNanos, String why) {
    while (!failing.isEmpty() && now - failing.peek().beganNanos > FORGOTTEN) {
      failing.remove();
    }
    Map<String, TraceSummary> kept =
        store.latest(1_000_000, true, TraceQuery.of("")).stream()
            .collect(Collectors.toMap(TraceSummary::traceId, Function.identity()));
    List<Failing> young =
        failing.stream()
            .filter(one -> why.isEmpty() || one.why.equals(why))
            .filter(one -> now - one.beganNanos <= oldestNanos && now > one.endNanos)
            .toList();
    long whole =
        young.stream()
            .map(one -> kept.get(one.id))
            .filter(summary -> summary != null && summary.complete())
            .count();
    return young.isEmpty() ? 1 : whole / (double) young.size();
  }
}
