// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Schema;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.hooks.EventHooks;
import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The last hour, one point a minute: messages, waits, what went wrong, live actors, heap.
 *
 * <p><b>Threads.</b> That of {@link PageHistory} writes; any may read, under the lock.
 *
 * <p><b>Full.</b> See {@link PointRing}. 60 points of nine numbers: 4 kB.
 */
public final class HourHistory {
  static final int POINTS = 60;
  static final int EVERY_MILLIS = 60_000;
  private static final long EVERY_NANOS = TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS);

  private static final String[] COLUMNS = {
    "rate",
    "processingP99",
    "waitP99",
    "failures",
    "askTimeouts",
    "deadLetters",
    "actorsLive",
    "heapBytes"
  };

  public static final Schema SCHEMA =
      PointRing.schema("Hour", "The last hour, an entry for each minute in each column.", COLUMNS);

  private final PointRing points = new PointRing(POINTS, EVERY_MILLIS, COLUMNS);
  private long heapBytes;
  private @Nullable Sums last;

  /** Counts since the start, at one time. */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  record Sums(
      PointRing.At at,
      long messages,
      long[] processing,
      long[] waits,
      long failures,
      long askTimeouts,
      long deadLetters) {
    static Sums now(PointRing.At at, long messages, long[] processing, long[] wait) {
      return new Sums(
          at,
          messages,
          processing,
          wait,
          ActorKinds.all().stream()
              .filter(kind -> !kind.isSilent())
              .mapToLong(ActorKind::failed)
              .sum(),
          AskMetrics.series().stream().mapToLong(AskMetrics.Series::timeouts).sum(),
          EventHooks.deadLetters());
    }
  }

  /** Looks at the heap, and takes a point if a minute is over. */
  void look(PointRing.At now, long messages, long[] processing, long[] wait) {
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    if (isOver(now, heap)) {
      long live =
          ActorKinds.all().stream()
              .filter(kind -> !kind.isSilent())
              .mapToLong(ActorKind::live)
              .sum();
      add(Sums.now(now, messages, processing, wait), live);
    }
  }

  private synchronized boolean isOver(PointRing.At now, long heap) {
    heapBytes = Math.max(heapBytes, heap);
    Sums before = last;
    return before == null || now.nanosSince(before.at) >= EVERY_NANOS;
  }

  /** Adds a point; the first has nothing to be compared with. */
  synchronized void add(Sums now, long actorsLive) {
    Sums before = last;
    if (before != null && now.at.nanosSince(before.at) > 0) {
      double[] point = {
        Math.max(0, now.messages - before.messages) / (now.at.nanosSince(before.at) / 1e9),
        p99(now.processing, before.processing),
        p99(now.waits, before.waits),
        Math.max(0, now.failures - before.failures),
        Math.max(0, now.askTimeouts - before.askTimeouts),
        Math.max(0, now.deadLetters - before.deadLetters),
        actorsLive,
        heapBytes
      };
      points.add(now.at, point);
    }
    heapBytes = 0;
    last = now;
  }

  private static double p99(long[] now, long[] before) {
    long[] added = new long[now.length];
    Arrays.setAll(added, i -> Math.max(0, now[i] - before[i]));
    return Quantiles.nanos(added, 0.99);
  }

  public synchronized void writeTo(Json json) throws IOException {
    points.writeTo(json);
  }
}
