// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.messages.Processing;
import io.deimos.agent.messages.SpanRef;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One tap: takes messages out of the records as they come, until it has enough, its time is up, or
 * nobody asks for it any more.
 *
 * <p><b>Threads.</b> The drainer offers; the page's threads read.
 *
 * <p><b>Bounds.</b> {@value #MAX_BYTES} bytes, and of what a message says the first {@value
 * #MAX_CONTENT} characters.
 */
final class OpenTap {
  private static final long MAX_BYTES = 256 << 10;
  private static final int MAX_CONTENT = 1000;
  private static final int MAX_KNOWN = 4096;
  private static final long SECOND = 1_000_000_000L;

  /** How long nobody may ask for it. */
  private static final long MAX_IDLE_NANOS = 30 * SECOND;

  private final String id;
  private final TapQuery query;
  private final long endsNanos;
  private final long endsEpochMillis;

  /** The drainer's: whether a class, and an actor, fits. */
  private final Map<Integer, Boolean> messages = new HashMap<>();

  private final IdentityHashMap<ActorTelemetry, Boolean> actors = new IdentityHashMap<>();
  private long second;
  private int ofSecond;

  private final List<TapState.Line> lines = new ArrayList<>();
  private long bytes;
  private long leftOut;
  private long askedNanos;
  private volatile String endedBy = "";

  OpenTap(String id, TapQuery query, long nowNanos) {
    this.id = id;
    this.query = query;
    endsNanos = nowNanos + query.seconds() * SECOND;
    endsEpochMillis = System.currentTimeMillis() + query.seconds() * 1000L;
    askedNanos = nowNanos;
  }

  boolean isOpen() {
    return endedBy.isEmpty();
  }

  String id() {
    return id;
  }

  /** Ends it if its time is up, or nobody asks for it. */
  synchronized void tick(long nowNanos) {
    if (!isOpen()) {
      return;
    }
    if (nowNanos - endsNanos >= 0) {
      endedBy = "time";
    } else if (nowNanos - askedNanos >= MAX_IDLE_NANOS) {
      endedBy = "nobody";
    }
  }

  /**
   * Takes a processed message if it fits. By the drainer.
   *
   * @param waitNanos -1 if it is not known
   */
  void offer(SpanView span, ActorTelemetry actor, @Nullable ActorTelemetry sender, long waitNanos) {
    if (!isOpen() || !fits(span, actor)) {
      return;
    }
    long at = span.end() / SECOND;
    if (at > second) {
      second = at;
      ofSecond = 0;
    }
    if (++ofSecond > query.perSecond()) {
      synchronized (this) {
        leftOut++;
      }
      return;
    }
    add(span, actor, sender, waitNanos);
  }

  private boolean fits(SpanView span, ActorTelemetry actor) {
    String name = span.message().name();
    if (!messages.computeIfAbsent(span.message().id(), number -> query.isMessage(name))) {
      return false;
    }
    if (query.to() == null) {
      return true;
    }
    if (actors.size() >= MAX_KNOWN) {
      actors.clear();
    }
    return actors.computeIfAbsent(actor, to -> query.isTo(to.path()));
  }

  private void add(
      SpanView span, ActorTelemetry actor, @Nullable ActorTelemetry sender, long waitNanos) {
    Rare rare = span.rare();
    Throwable error = rare == null ? null : rare.error();
    Content content = rare == null ? null : rare.content();
    String said = content == null ? null : content.text();
    synchronized (this) {
      TapState.Line line =
          new TapState.Line(
              lines.size() + 1,
              new Processing(
                  new SpanRef(span.traceHi(), span.traceLo(), span.spanId()),
                  Clock.epochNanos(span.start()),
                  waitNanos < 0 ? null : waitNanos,
                  span.end() - span.start(),
                  error != null),
              span.message().name(),
              actor.path(),
              actor.className(),
              sender == null ? "" : sender.path(),
              error == null ? "" : error.getClass().getName(),
              said == null ? null : Content.cut(said, MAX_CONTENT));
      if (!isOpen()) {
        return;
      }
      if (bytes + line.bytes() > MAX_BYTES) {
        endedBy = "memory";
        return;
      }
      lines.add(line);
      bytes += line.bytes();
      if (lines.size() >= query.count()) {
        endedBy = "count";
      }
    }
  }

  /**
   * The messages after one.
   *
   * @param after its number, 0 for all
   */
  synchronized TapState read(int after, long nowNanos) {
    tick(nowNanos);
    askedNanos = nowNanos;
    return new TapState(
        id,
        query,
        endedBy,
        endsEpochMillis,
        lines.size(),
        leftOut,
        List.copyOf(lines.subList(Math.min(after, lines.size()), lines.size())));
  }

  synchronized long bytes() {
    return bytes;
  }
}
