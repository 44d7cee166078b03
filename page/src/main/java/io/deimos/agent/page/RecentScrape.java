// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import io.deimos.agent.budget.AnswerMemory;
import io.deimos.agent.http.Answer;
import io.deimos.agent.http.Pieces;
import io.deimos.agent.http.Request;
import io.deimos.agent.metrics.ScrapedText;
import java.io.IOException;
import java.io.OutputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Keeps what {@code /metrics} answered for a second, for each format: collecting runs through all
 * metrics of the process, and nobody shall be able to make it do so again and again. Safe for any
 * thread; whoever comes while metrics are collected waits for that and gets the same.
 *
 * <p><b>Full.</b> The text is packed, since the same names stand in all of its lines: it takes a
 * twentieth or less of what a reader gets. Should even that be more than one answer may take, the
 * longest metrics are left out until the rest fits; for {@value #BOUNDED_SECONDS} s as many lines
 * are written at most.
 */
final class RecentScrape {
  private static final long FRESH_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final int MAX_FORMATS = 4;
  private static final int BOUNDED_SECONDS = 600;
  private static final int BUFFER_BYTES = 8192;

  private final ScrapedText metrics;
  private final LongSupplier nanoTime;
  private final long mostBytes;
  private final Map<String, Text> byFormat = new HashMap<>();
  private long mostLines = Long.MAX_VALUE;
  private long boundedAtNanos;

  /**
   * @param mostBytes what one collection may take, packed
   */
  RecentScrape(ScrapedText metrics, LongSupplier nanoTime, long mostBytes) {
    this.mostBytes = mostBytes;
    this.metrics = metrics;
    this.nanoTime = nanoTime;
  }

  /** Answers with all metrics, as they were no more than a second ago. */
  void answer(Request request, Answer answer) throws IOException {
    String accepted = request.only("accept");
    answer.header("Content-Type", metrics.contentType(accepted));
    answer.header("Vary", "Accept, Accept-Encoding");
    if (answer.isHead()) {
      answer.empty(200);
      return;
    }
    Text text = text(accepted);
    answer.header("X-Deimos-Age-Millis", Long.toString(ageMillis(text)));
    answer.kept(text.packed, text.length);
  }

  /** All metrics, as they were no more than a second ago. */
  synchronized Text text(@Nullable String accepted) throws IOException {
    String format = metrics.contentType(accepted);
    long now = nanoTime.getAsLong();
    byFormat.values().removeIf(kept -> now - kept.atNanos >= FRESH_NANOS);
    Text kept = byFormat.get(format);
    if (kept == null) {
      kept = collected(accepted);
      if (byFormat.size() < MAX_FORMATS) {
        byFormat.put(format, kept);
      }
    }
    return kept;
  }

  private Text collected(@Nullable String accepted) throws IOException {
    if (nanoTime.getAsLong() - boundedAtNanos > TimeUnit.SECONDS.toNanos(BOUNDED_SECONDS)) {
      mostLines = Long.MAX_VALUE;
    }
    ScrapedText.Collected collected = metrics.collect();
    while (true) {
      try {
        return packed(collected, accepted);
      } catch (AnswerMemory.ExceededException e) {
        mostLines = Math.min(mostLines, collected.lines()) / 2;
        boundedAtNanos = nanoTime.getAsLong();
        if (mostLines == 0) {
          throw e;
        }
      }
    }
  }

  private Text packed(ScrapedText.Collected collected, @Nullable String accepted)
      throws IOException {
    Pieces pieces = new Pieces(new AnswerMemory(2 * mostBytes));
    try (Packing packing = new Packing(pieces)) {
      collected.writeTo(packing, accepted, mostLines);
      packing.finish();
      return new Text(pieces, packing.length, nanoTime.getAsLong());
    }
  }

  /** Counts what it packs. */
  private static final class Packing extends GZIPOutputStream {
    private long length;

    Packing(OutputStream out) throws IOException {
      super(out, BUFFER_BYTES);
      def.setLevel(Deflater.BEST_SPEED);
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int count) throws IOException {
      length += count;
      super.write(bytes, from, count);
    }
  }

  /**
   * The collected metrics.
   *
   * @param packed with gzip
   * @param length of the text, not packed
   */
  record Text(Pieces packed, long length, long atNanos) {}

  /** How long ago a text was collected. */
  long ageMillis(Text text) {
    return TimeUnit.NANOSECONDS.toMillis(nanoTime.getAsLong() - text.atNanos);
  }
}
