// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.standalone;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceId;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.sdk.testing.trace.TestSpanData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.data.StatusData;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Spans for some nodes at a steady rate, from one thread: each trace has four, two on each of two
 * nodes, and one trace in a thousand has an error.
 */
final class MadeUpTraffic extends Thread {
  private static final int SPANS_OF_A_TRACE = 4;
  private static final int TRACES_FOR_ONE_ERROR = 1_000;
  private static final long PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(5);
  private static final long LATE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final Attributes ATTRIBUTES =
      Attributes.builder()
          .put("pekko.actor.class", "made.Up$Cart")
          .put("pekko.actor.path", "pekko://made-up/user/carts/cart-17")
          .put("pekko.message.class", "made.Up$AddItem")
          .build();

  private final List<MadeUpNode> nodes;
  private final long spansPerSecond;
  private final Attributes attributes;
  private final SplittableRandom random;
  private volatile boolean ends;
  private volatile long failed;

  MadeUpTraffic(List<MadeUpNode> nodes, long spansPerSecond, long seed) {
    this(nodes, spansPerSecond, seed, "");
  }

  /**
   * @param text what each span says beside the rest; empty for nothing
   */
  MadeUpTraffic(List<MadeUpNode> nodes, long spansPerSecond, long seed, String text) {
    this.attributes =
        text.isEmpty() ? ATTRIBUTES : ATTRIBUTES.toBuilder().put("made.up", text).build();
    this.nodes = nodes;
    this.spansPerSecond = spansPerSecond;
    this.random = new SplittableRandom(seed);
    setDaemon(true);
  }

  /** Messages that cannot be made in time are not made up for later. */
  @Override
  public void run() {
    long since = System.nanoTime();
    long made = 0;
    int node = 0;
    while (!ends) {
      long now = System.nanoTime();
      long due = (long) ((now - since) * (spansPerSecond / 1e9));
      if (due - made > LATE_NANOS * (spansPerSecond / 1e9)) {
        since = now;
        made = 0;
        due = 0;
      }
      for (; made < due && !ends; made += SPANS_OF_A_TRACE) {
        trace(nodes.get(node), nodes.get((node + 1) % nodes.size()));
        node = (node + 1) % nodes.size();
      }
      LockSupport.parkNanos(PAUSE_NANOS);
    }
  }

  /** How many traces have an error. */
  long failed() {
    return failed;
  }

  void end() throws InterruptedException {
    ends = true;
    join();
  }

  @SuppressWarnings("NonAtomicVolatileUpdate") // one thread writes
  private void trace(MadeUpNode first, MadeUpNode second) {
    String trace = TraceId.fromLongs(random.nextLong() | 1, random.nextLong() | 1);
    long root = random.nextLong() | 1;
    long now = System.currentTimeMillis() * 1_000_000;
    boolean fails = random.nextInt(TRACES_FOR_ONE_ERROR) == 0;
    failed += fails ? 1 : 0;
    second.store().accept(span(trace, root + 6, root + 4, false, now, fails));
    second.store().accept(span(trace, root + 4, root + 2, true, now, false));
    first.store().accept(span(trace, root + 2, root, false, now, false));
    first.store().accept(span(trace, root, 0, false, now, false));
    first.countOffered(2);
    second.countOffered(2);
  }

  private SpanData span(
      String trace, long id, long parent, boolean remote, long now, boolean fails) {
    return TestSpanData.builder()
        .setHasEnded(true)
        .setName(parent == 0 ? "POST /orders" : "process AddItem")
        .setKind(parent == 0 ? SpanKind.SERVER : SpanKind.CONSUMER)
        .setStatus(fails ? StatusData.error() : StatusData.unset())
        .setAttributes(attributes)
        .setSpanContext(context(trace, id, false))
        .setParentSpanContext(
            parent == 0 ? SpanContext.getInvalid() : context(trace, parent, remote))
        .setStartEpochNanos(now)
        .setEndEpochNanos(now + 120_000)
        .build();
  }

  private static SpanContext context(String trace, long id, boolean remote) {
    String span = SpanId.fromLong(id);
    TraceFlags flags = TraceFlags.getSampled();
    return remote
        ? SpanContext.createFromRemoteParent(trace, span, flags, TraceState.getDefault())
        : SpanContext.create(trace, span, flags, TraceState.getDefault());
  }
}
