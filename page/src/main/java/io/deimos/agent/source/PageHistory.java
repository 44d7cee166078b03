// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import io.deimos.agent.json.Json;
import io.deimos.agent.routes.Route;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.counts.MetricsFold;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The page's charts of the last fifteen minutes, so that a page opened late has a past: messages a
 * second, and quantiles of processing and of waiting, one point every two seconds.
 *
 * <p><b>Threads.</b> One of its own writes; any may read, under the lock.
 *
 * <p><b>Full.</b> See {@link PointRing}. 450 points of six numbers: 22 kB.
 */
public final class PageHistory {
  static final int POINTS = 450;
  static final int EVERY_MILLIS = 2_000;

  private static final String[] COLUMNS = {
    "rate", "processingP50", "processingP99", "waitP50", "waitP99"
  };

  public static final Route ROUTE =
      Route.at(
              "/api/history",
              "history",
              "The last fifteen minutes",
              "Tells messages a second and quantiles of the last fifteen minutes.")
          .answers(
              PointRing.schema(
                  "Past", "The last fifteen minutes, an entry for each point.", COLUMNS));

  private final Supplier<List<MetricsFold.Series>> counted;
  private final PointRing points = new PointRing(POINTS, EVERY_MILLIS, COLUMNS);
  private final HourHistory hour = new HourHistory();
  private final LinkRates links = new LinkRates();
  private volatile Runnable also = () -> {};
  private PointRing.@Nullable At last;
  private long lastMessages;
  private long[] lastProcessing = new long[Durations.BUCKETS];
  private long[] lastWait = new long[Durations.BUCKETS];

  /** The history of this process. */
  public PageHistory() {
    this(() -> List.copyOf(Recorder.metrics().series()));
  }

  PageHistory(Supplier<List<MetricsFold.Series>> counted) {
    this.counted = counted;
  }

  /** Has something else done each time that a point is taken, by the same thread. */
  public void also(Runnable more) {
    also = more;
  }

  /** Begins to take points, on a daemon thread that ends with the JVM. */
  public void start() {
    AgentThread.start("deimos-page-history", this::run);
  }

  private void run() {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        take();
        also.run();
      } catch (Throwable t) {
        Faults.caught(t); // a point is missing
      }
      LockSupport.parkNanos(this, TimeUnit.MILLISECONDS.toNanos(EVERY_MILLIS));
    }
  }

  /** Takes one point: what has been counted since the one before. */
  void take() {
    long messages = 0;
    long[] processing = new long[Durations.BUCKETS];
    long[] wait = new long[Durations.BUCKETS];
    for (MetricsFold.Series series : counted.get()) {
      ActorKind kind = series.kind();
      if (!kind.isSilent()) {
        messages += series.processed();
        add(processing, series.processingBuckets());
        add(wait, series.waitBuckets());
      }
    }
    PointRing.At now = PointRing.At.now();
    add(now, messages, processing, wait);
    hour.look(now, messages, processing, wait);
    links.take(now.nanos());
  }

  /** Adds a point from counts since the start; the first has nothing to be compared with. */
  synchronized void add(PointRing.At now, long messages, long[] processing, long[] wait) {
    PointRing.At before = last;
    if (before != null && now.nanosSince(before) > 0) {
      double seconds = now.nanosSince(before) / 1e9;
      long[] processed = since(processing, lastProcessing);
      long[] waited = since(wait, lastWait);
      points.add(
          now,
          Math.max(0, messages - lastMessages) / seconds,
          Quantiles.nanos(processed, 0.5),
          Quantiles.nanos(processed, 0.99),
          Quantiles.nanos(waited, 0.5),
          Quantiles.nanos(waited, 0.99));
    }
    last = now;
    lastMessages = messages;
    lastProcessing = processing;
    lastWait = wait;
  }

  private static void add(long[] to, long[] more) {
    for (int i = 0; i < to.length; i++) {
      to[i] += more[i];
    }
  }

  private static long[] since(long[] now, long[] before) {
    long[] added = new long[now.length];
    Arrays.setAll(added, i -> Math.max(0, now[i] - before[i]));
    return added;
  }

  /** How much goes to each other node. */
  public LinkRates links() {
    return links;
  }

  /** The last hour, minute by minute. */
  public HourHistory hour() {
    return hour;
  }

  public synchronized void writeTo(Json json) throws IOException {
    points.writeTo(json);
  }
}
