// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.export.ExportCounts;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.ring.AnyRecord;
import io.deimos.recorder.ring.Records;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.export.RetryPolicy;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.SpanLimits;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

/**
 * The direct route against a collector that fails at random, and is down now and then: nothing is
 * lost that the retry rules promise, and what they do not promise is counted. {@code
 * integration-tests/soak-direct} goes on for an hour.
 */
class DirectSoakTest {
  private static final int SMALL_BATCH = 16 << 10;

  /** The SDK's default. */
  private static final int MAX_ATTEMPTS = 5;

  /**
   * If a kept connection breaks, the client of HTTP tries others by itself, which are no attempts.
   */
  private static final int MAX_SENT = 6 * MAX_ATTEMPTS;

  private static final int SPANS_OF_A_TURN = 100;
  private static final long TURN_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
  private static final int TURNS_WITHOUT_A_CLOCK = 200;
  private static final long OUTAGE_NANOS = TimeUnit.SECONDS.toNanos(2);
  private static final int OUTAGES = 12;
  private static final int SAMPLES = 12;
  private static final long HEAP_GROWTH_BYTES = 8 << 20;

  private final ExportCounts counts = new ExportCounts();
  private final LongAdder told = new LongAdder();
  private final MessageClass place = Records.message("shop.Orders$Place");
  private final List<Long> heap = new ArrayList<>();
  private final List<Integer> threads = new ArrayList<>();
  private long written;

  @Test
  void accept_collectorFailsAtRandom_losesNothingThatRetriesPromise() throws Exception {
    long minutes = Long.getLong("soak.minutes", 0);
    long seed = Long.getLong("soak.seed", 20);
    List<String> verdict = new ArrayList<>();
    String result;
    try (FickleCollector collector = new FickleCollector(seed);
        BatchSpanProcessor processor =
            BatchSpanProcessor.builder(
                    OtlpHttpSpanExporter.builder()
                        .setEndpoint(collector.endpoint())
                        .setTimeout(Duration.ofMinutes(5))
                        .setRetryPolicy(
                            RetryPolicy.builder()
                                .setMaxAttempts(MAX_ATTEMPTS)
                                .setInitialBackoff(Duration.ofMillis(2))
                                .setMaxBackoff(Duration.ofMillis(20))
                                .build())
                        .build())
                .build()) {
      DirectExport export =
          new DirectExport(
              OtlpRoute.of(List.of(processor), SpanLimits.getDefault()),
              Resource.getDefault(),
              SpanLimits.getDefault(),
              counts,
              Long.MAX_VALUE,
              why -> told.increment(),
              warning -> told.increment(),
              SMALL_BATCH);
      if (minutes == 0) {
        burst(export, collector);
      } else {
        go(export, collector, TimeUnit.MINUTES.toNanos(minutes));
      }
      export.closing();
      export.flush();
      check(verdict, export.awaitExport(60_000), "not all requests were settled in a minute");
      account(verdict, collector);
      result = json(minutes, seed, verdict, collector);
    }
    Path file = Path.of("target", "soak-direct", "result.json");
    Files.createDirectories(file.getParent());
    Files.writeString(file, result);
    assertThat(verdict).as(result).isEmpty();
  }

  /** As fast as it will go. */
  private void burst(DirectExport export, FickleCollector collector) {
    AnyRecord records = new AnyRecord(export);
    for (int turn = 0; turn < TURNS_WITHOUT_A_CLOCK; turn++) {
      if (turn == TURNS_WITHOUT_A_CLOCK / 2) {
        collector.goDown(OUTAGE_NANOS / 100);
      }
      write(export, records);
    }
  }

  /** So many spans a second, for so long. */
  private void go(DirectExport export, FickleCollector collector, long nanos) {
    AnyRecord records = new AnyRecord(export);
    long begun = System.nanoTime();
    long nextOutage = nanos / OUTAGES / 2;
    long nextSample = 0;
    for (long turn = 0; System.nanoTime() - begun < nanos; turn++) {
      long at = System.nanoTime() - begun;
      if (at >= nextOutage) {
        nextOutage += nanos / OUTAGES;
        collector.goDown(OUTAGE_NANOS);
      }
      if (at >= nextSample) {
        nextSample += nanos / SAMPLES;
        sample();
      }
      write(export, records);
      long early = turn * TURN_NANOS - (System.nanoTime() - begun);
      if (early > 0) {
        LockSupport.parkNanos(early);
      }
    }
    sample();
  }

  /** Hands over as the drainer does: never more than there is room for. */
  private void write(DirectExport export, AnyRecord records) {
    for (int left = SPANS_OF_A_TURN; left > 0; ) {
      int room = Math.min(left, export.room());
      for (int i = 0; i < room; i++) {
        records.write(++written, 0, place, null, null, null);
      }
      export.flush();
      left -= room;
      if (room == 0) {
        LockSupport.parkNanos(100_000);
      }
    }
  }

  private void sample() {
    System.gc();
    heap.add(Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
    threads.add(Thread.activeCount());
  }

  private void account(List<String> verdict, FickleCollector collector) {
    same(verdict, "exported, and answered so", counts.exported(), collector.answeredSpans());
    same(
        verdict,
        "failed, and rejected or given up",
        counts.failed(),
        collector.rejectedSpans() + collector.givenUpSpans());
    same(verdict, "exported or failed, and written", counts.exported() + counts.failed(), written);
    same(verdict, "refused or unfinished", counts.refused() + counts.unfinished(), 0);
    check(verdict, collector.arrived() >= counts.exported(), "fewer arrived than were exported");
    check(
        verdict,
        collector.givenUpEarly(MAX_ATTEMPTS).isEmpty(),
        "given up before the last attempt: " + collector.givenUpEarly(MAX_ATTEMPTS));
    same(verdict, "sent again after a refusal", collector.sentAfterRefusal(), 0);
    check(verdict, collector.mostSent() <= MAX_SENT, "sent " + collector.mostSent() + " times");
    check(verdict, collector.givenUp() == 0 || told.sum() > 0, "what was given up was not told");
    int third = heap.size() / 3;
    if (third > 0) {
      long growth = heap.get(heap.size() - 1) - heap.get(third);
      check(verdict, growth < HEAP_GROWTH_BYTES, "the heap grew by " + growth + " bytes");
    }
  }

  private static void same(List<String> verdict, String what, long one, long other) {
    check(verdict, one == other, what + ": " + one + " and " + other);
  }

  private static void check(List<String> verdict, boolean isGood, String otherwise) {
    if (!isGood) {
      verdict.add(otherwise);
    }
  }

  private String json(long minutes, long seed, List<String> verdict, FickleCollector collector) {
    List<String> answers = new ArrayList<>();
    collector
        .answers()
        .forEach(
            (answer, times) ->
                answers.add("\"" + answer.name().toLowerCase(Locale.ROOT) + "\": " + times));
    List<String> quoted = verdict.stream().map(line -> "\"" + line + "\"").toList();
    return """
        {
          "minutes": %d,
          "seed": %d,
          "java": "%s",
          "verdict": %s,
          "spans": {"written": %d, "exported": %d, "rejected": %d, "given_up": %d, "refused": %d, "unfinished": %d},
          "arrived": {"spans": %d, "again": %d},
          "requests": {"sent": %d, "given_up": %d, "most_sent": %d},
          "answers": {%s},
          "times_told": %d,
          "heap_after_collection": %s,
          "threads": %s
        }
        """
        .formatted(
            minutes,
            seed,
            System.getProperty("java.version"),
            quoted,
            written,
            counts.exported(),
            collector.rejectedSpans(),
            collector.givenUpSpans(),
            counts.refused(),
            counts.unfinished(),
            collector.arrived(),
            collector.repeatedSpans(),
            collector.requests(),
            collector.givenUp(),
            collector.mostSent(),
            String.join(", ", answers),
            told.sum(),
            heap,
            threads);
  }
}
