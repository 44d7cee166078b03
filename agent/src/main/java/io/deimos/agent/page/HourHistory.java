// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.hooks.EventHooks;
import java.io.IOException;
import java.util.Arrays;

/**
 * The last hour, one point a minute: messages, waits, what went wrong, live actors, heap.
 *
 * <p><b>Threads.</b> That of {@link PageHistory} writes; any may read, under the lock.
 *
 * <p><b>Full.</b> See {@link PointRing}. 60 points of nine numbers: 4 kB.
 */
final class HourHistory {
  static final int POINTS = 60;
  static final int EVERY_MILLIS = 60_000;

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

  static final Schema SCHEMA = schema();

  private final PointRing points = new PointRing(POINTS, EVERY_MILLIS, COLUMNS);
  private long heapBytes;
  private Sums last = Sums.NONE;

  private static Schema schema() {
    Schema schema =
        Schema.named("Hour", "The last hour, an entry for each minute in each column.")
            .with("everyMillis", Schema.whole("How long a minute is here."))
            .with(
                "seconds", Schema.list(Schema.number(""), "When it ended, in seconds since 1970."));
    for (String column : COLUMNS) {
      schema = schema.with(column, Schema.list(Schema.number("").orNull(), ""));
    }
    return schema;
  }

  /** Counts since the start, at one time. */
  @SuppressWarnings("ArrayRecordComponent") // not compared
  record Sums(
      long millis,
      long messages,
      long[] processing,
      long[] waits,
      long failures,
      long askTimeouts,
      long deadLetters) {
    static final Sums NONE = new Sums(0, 0, new long[0], new long[0], 0, 0, 0);

    static Sums now(long millis, long messages, long[] processing, long[] wait) {
      return new Sums(
          millis,
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
  void look(long nowMillis, long messages, long[] processing, long[] wait) {
    long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    if (isOver(nowMillis, heap)) {
      long live =
          ActorKinds.all().stream()
              .filter(kind -> !kind.isSilent())
              .mapToLong(ActorKind::live)
              .sum();
      add(Sums.now(nowMillis, messages, processing, wait), live);
    }
  }

  private synchronized boolean isOver(long nowMillis, long heap) {
    heapBytes = Math.max(heapBytes, heap);
    return nowMillis - last.millis >= EVERY_MILLIS;
  }

  /** Adds a point; the first has nothing to be compared with. */
  synchronized void add(Sums now, long actorsLive) {
    if (last.millis != 0 && now.millis > last.millis) {
      double[] point = {
        Math.max(0, now.messages - last.messages) / ((now.millis - last.millis) / 1e3),
        p99(now.processing, last.processing),
        p99(now.waits, last.waits),
        Math.max(0, now.failures - last.failures),
        Math.max(0, now.askTimeouts - last.askTimeouts),
        Math.max(0, now.deadLetters - last.deadLetters),
        actorsLive,
        heapBytes
      };
      points.add(now.millis, point);
    }
    heapBytes = 0;
    last = now;
  }

  private static double p99(long[] now, long[] before) {
    long[] added = new long[now.length];
    Arrays.setAll(added, i -> Math.max(0, now[i] - before[i]));
    return PageHistory.quantile(added, 0.99);
  }

  synchronized void writeTo(Json json) throws IOException {
    points.writeTo(json);
  }
}
