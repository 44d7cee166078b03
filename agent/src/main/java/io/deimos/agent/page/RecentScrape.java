// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what {@code /metrics} answered for a second, for each format: collecting runs through all
 * metrics of the process, and nobody shall be able to make it do so again and again. Safe for any
 * thread; whoever comes while metrics are collected waits for that and gets the same.
 */
final class RecentScrape implements ScrapedText {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MOST_FORMATS = 4;

  private final ScrapedText metrics;
  private final LongSupplier nanoTime;
  private final long mostBytes;
  private final Map<String, Kept> byFormat = new HashMap<>();

  /**
   * @param mostBytes what one collection may take
   */
  RecentScrape(ScrapedText metrics, LongSupplier nanoTime, long mostBytes) {
    this.mostBytes = mostBytes;
    this.metrics = metrics;
    this.nanoTime = nanoTime;
  }

  @Override
  public String contentType(@Nullable String accepted) {
    return metrics.contentType(accepted);
  }

  @Override
  public synchronized long ageMillis(@Nullable String accepted) {
    Kept kept = byFormat.get(metrics.contentType(accepted));
    long age = kept == null ? 0 : nanoTime.getAsLong() - kept.atNanos;
    return age < FRESH_NANOS ? TimeUnit.NANOSECONDS.toMillis(age) : 0;
  }

  @Override
  public void writeTo(OutputStream out, @Nullable String accepted) throws IOException {
    collected(accepted).writeTo(out);
  }

  private synchronized Pieces collected(@Nullable String accepted) throws IOException {
    String format = metrics.contentType(accepted);
    long now = nanoTime.getAsLong();
    byFormat.values().removeIf(kept -> now - kept.atNanos >= FRESH_NANOS);
    Kept kept = byFormat.get(format);
    if (kept == null) {
      Pieces made = new Pieces(new AnswerMemory(2 * mostBytes));
      metrics.writeTo(made, accepted);
      kept = new Kept(nanoTime.getAsLong(), made);
      if (byFormat.size() < MOST_FORMATS) {
        byFormat.put(format, kept);
      }
    }
    return kept.text;
  }

  /** What was collected, and when. */
  private record Kept(long atNanos, Pieces text) {}
}
