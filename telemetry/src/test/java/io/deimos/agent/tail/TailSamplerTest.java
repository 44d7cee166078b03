// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.settings.Key;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanId;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.ReadableSpan;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class TailSamplerTest {
  private static final long MILLI = 1_000_000;

  private static final SdkTracerProvider OTHER =
      SdkTracerProvider.builder()
          .addSpanProcessor(SimpleSpanProcessor.create(InMemorySpanExporter.create()))
          .build();

  private final Exporter exporter = new Exporter();
  private final TailCounts counts = new TailCounts();
  private final List<Integer> unfinished = new ArrayList<>();
  private final Others others = new Others();
  private final TailSampler tail = new TailSampler(exporter, others, counts, unfinished::add);
  private final Records records = new Records(tail);
  private Settings settings = Settings.defaults().with(Keys.TAIL, true).with(Keys.TAIL_KEEP, 0.0);

  private <T> void with(Key<T> key, T value) {
    settings = settings.with(key, value);
    tail.rule(settings);
  }

  private void span(long trace, long span, @Nullable Rare rare) {
    span(trace, span, 0, 0, rare);
  }

  private void span(long trace, long span, long wait, long took, @Nullable Rare rare) {
    long now = Clock.now();
    records.processed(trace, trace, span, 0, now - took - wait, now - took, took, null, null, rare);
  }

  private static Rare failed() {
    return new Rare(new IllegalStateException(), null, null, null);
  }

  private static Rare with(EventName incident) {
    Incident told = new Incident(incident, 0, Map.of(), "", 0, 0, 0);
    return new Rare(null, null, null, null, null, false, List.of(told), null);
  }

  @Test
  void off_everythingPassesAtOnce() {
    assertThat(tail.room()).isEqualTo(exporter.room());
    span(1, 1, null);
    assertThat(exporter.spans).containsExactly(1L);
    assertThat(counts.held()).isZero();
  }

  @Test
  void normalTrace_afterTheDelay_isLetGo() {
    with(Keys.TAIL, true);
    tail.room();
    span(1, 1, null);
    span(1, 2, null);
    tail.room();
    assertThat(counts.held()).isEqualTo(2);
    with(Keys.TAIL_DELAY, Duration.ofMillis(100)); // not before, for a machine that is slow
    long since = Clock.now();
    while (Clock.now() - since <= 110 * MILLI) {
      LockSupport.parkNanos(MILLI);
    }
    tail.room();
    assertThat(counts.held()).isZero();
    assertThat(counts.letGo(TailLoss.NORMAL)).isEqualTo(2);
    assertThat(exporter.spans).isEmpty();
  }

  @Test
  void failedSpan_takesItsTraceAndWhatFollowsAlong() {
    with(Keys.TAIL, true);
    span(1, 1, null);
    span(2, 20, null);
    span(1, 2, failed());
    span(1, 3, null);
    tail.room();
    assertThat(exporter.spans).containsExactly(1L, 2L, 3L);
    assertThat(counts.kept(TailReason.FAILURE)).isEqualTo(3);
    assertThat(counts.held()).isEqualTo(1);
  }

  @Test
  void reasons_eachByItself_keepTheTrace() {
    with(Keys.TAIL_WAIT, Duration.ofMillis(50));
    with(Keys.TAIL_PROCESSING, Duration.ofMillis(70));
    span(1, 1, with(EventName.DEAD_LETTER));
    span(2, 2, with(EventName.STUCK));
    span(3, 3, 51 * MILLI, 0, null);
    span(4, 4, 0, 71 * MILLI, null);
    records.asked(5, 5, 5, 0, new TimeoutException());
    records.asked(6, 6, 6, 0, new IllegalStateException());
    span(7, 7, 49 * MILLI, 69 * MILLI, null);
    tail.room();
    assertThat(exporter.spans).containsExactly(1L, 2L, 3L, 4L, 5L, 6L);
    assertThat(counts.kept(TailReason.DEAD_LETTER)).isEqualTo(1);
    assertThat(counts.kept(TailReason.STUCK)).isEqualTo(1);
    assertThat(counts.kept(TailReason.WAIT)).isEqualTo(1);
    assertThat(counts.kept(TailReason.PROCESSING)).isEqualTo(1);
    assertThat(counts.kept(TailReason.ASK_TIMEOUT)).isEqualTo(1);
    assertThat(counts.kept(TailReason.FAILURE)).isEqualTo(1);
  }

  @Test
  void thresholdsOf0_keepNothing() {
    with(Keys.TAIL_WAIT, Duration.ZERO);
    with(Keys.TAIL_PROCESSING, Duration.ZERO);
    span(1, 1, 3600_000 * MILLI, 1000_000 * MILLI, null);
    tail.room();
    assertThat(exporter.spans).isEmpty();
  }

  @Test
  void share_ofAQuarter_isThatOfTheTracesAndTheSameEachTime() {
    with(Keys.TAIL_KEEP, 0.25);
    for (int i = 1; i <= 4000; i++) {
      span(i, i, null);
    }
    tail.room();
    List<Long> first = List.copyOf(exporter.spans);
    assertThat(first.size()).isBetween(850, 1150);
    assertThat(counts.kept(TailReason.SHARE)).isEqualTo(first.size());
    exporter.spans.clear();
    for (int i = 1; i <= 4000; i++) {
      span(i, i, null);
    }
    tail.room();
    assertThat(exporter.spans).containsExactlyElementsOf(first);
  }

  @Test
  void full_theOldestTraceIsLetGoEarlyAndCountedApart() {
    with(Keys.TAIL_MAX_SPANS, 1_000);
    for (int i = 1; i <= 1_001; i++) {
      span(i, i, null);
    }
    span(1, 5_000, failed());
    span(2, 5_001, failed());
    tail.room();
    assertThat(counts.letGo(TailLoss.FULL)).isEqualTo(1);
    assertThat(exporter.spans).containsExactly(5_000L, 2L, 5_001L);
  }

  @Test
  void spanWithMoreThanNumbers_countsForEight() {
    with(Keys.TAIL_MAX_SPANS, 1_000);
    Rare sender = new Rare(null, null, "a reference", null);
    for (int i = 1; i <= 126; i++) {
      span(i, i, sender);
    }
    assertThat(counts.letGo(TailLoss.FULL)).isEqualTo(1);
  }

  @Test
  void exporterWithoutRoom_whatIsFreeWaitsAndThenThereIsNoneHereEither() {
    with(Keys.TAIL_MAX_SPANS, 1_000);
    exporter.room = 0;
    for (int i = 1; i <= 125; i++) {
      span(i, i, failed());
    }
    assertThat(tail.room()).isZero();
    assertThat(exporter.spans).isEmpty();
    exporter.room = 25;
    assertThat(tail.room()).isEqualTo(1_000 - 100 * TailSampler.RARE_WEIGHT);
    assertThat(exporter.spans).hasSize(25).startsWith(1L, 2L);
    assertThat(counts.letGo()).isZero();
  }

  @Test
  void switchedOff_whatWasHeldIsExportedFirst() {
    with(Keys.TAIL, true);
    exporter.room = 1;
    span(1, 1, null);
    span(2, 2, null);
    with(Keys.TAIL, false);
    tail.room();
    span(3, 3, null);
    exporter.room = 10;
    tail.room();
    span(4, 4, null);
    assertThat(exporter.spans).containsExactly(1L, 2L, 3L, 4L);
    assertThat(counts.letGo()).isZero();
  }

  @Test
  void closing_nothingIsWaitedFor() {
    with(Keys.TAIL, true);
    span(1, 1, null);
    span(2, 2, failed());
    tail.closing(10_000);
    tail.flush();
    assertThat(exporter.spans).containsExactly(2L);
    assertThat(counts.letGo(TailLoss.NORMAL)).isEqualTo(1);
    assertThat(counts.held()).isZero();
    assertThat(unfinished).isEmpty();
  }

  @Test
  void keptTraces_beyondThoseRemembered_areForgotten() {
    KeptTraces kept = new KeptTraces();
    for (int i = 0; i <= KeptTraces.MOST; i++) {
      kept.keep(new TraceId(i, i), TailReason.WAIT);
    }
    assertThat(kept.reason(new TraceId(0, 0))).isNull();
    assertThat(kept.reason(new TraceId(1, 1))).isEqualTo(TailReason.WAIT);
  }

  @Test
  void othersSpan_ofANormalTrace_isLetGoWithIt() {
    with(Keys.TAIL, true);
    assertThat(tail.ended(other(1, StatusCode.OK))).isTrue();
    span(1, 1, null);
    tail.round();
    assertThat(counts.held()).isEqualTo(2);
    tail.closing(10_000);
    tail.flush();
    assertThat(others.spans).isEmpty();
    assertThat(counts.othersLetGo(TailLoss.NORMAL)).isEqualTo(1);
    assertThat(counts.letGo(TailLoss.NORMAL)).isEqualTo(1);
    assertThat(counts.held()).isZero();
  }

  @Test
  void othersSpans_beforeAndAfterAFailure_areKeptWithTheTrace() {
    with(Keys.TAIL, true);
    ReadableSpan before = other(1, StatusCode.OK);
    ReadableSpan after = other(1, StatusCode.OK);
    tail.ended(before);
    tail.ended(other(2, StatusCode.OK));
    tail.round();
    span(1, 1, failed());
    tail.ended(after);
    tail.round();
    tail.round();
    assertThat(others.spans).containsExactly(before, after);
    assertThat(exporter.spans).containsExactly(1L);
    assertThat(counts.othersKept()).isEqualTo(2);
    assertThat(counts.held()).isEqualTo(1);
  }

  @Test
  void othersSpan_withAnError_keepsTheWholeTrace() {
    with(Keys.TAIL, true);
    span(1, 1, null);
    ReadableSpan failed = other(1, StatusCode.ERROR);
    tail.ended(failed);
    tail.round();
    tail.round();
    assertThat(exporter.spans).containsExactly(1L);
    assertThat(others.spans).containsExactly(failed);
    assertThat(counts.kept(TailReason.FAILURE)).isEqualTo(1);
  }

  @Test
  void othersSpan_withMuchText_countsForItsBytes() {
    with(Keys.TAIL_MAX_SPANS, 1_000);
    for (int i = 1; i <= 850; i++) {
      span(i, i, null);
    }
    tail.ended(other(1, StatusCode.OK));
    tail.round();
    assertThat(counts.letGo(TailLoss.FULL)).isZero();
    tail.ended(other(1000, StatusCode.OK, "x".repeat(100 * TailSampler.BYTES_PER_SPAN)));
    tail.round();
    assertThat(counts.letGo(TailLoss.FULL)).isPositive();
    assertThat(counts.othersLetGo(TailLoss.FULL)).as("with its trace, the oldest").isEqualTo(1);
  }

  @Test
  void othersSpans_moreThanThereIsRoomForOnTheirWay_areCounted() {
    with(Keys.TAIL, true);
    for (int i = 0; i <= OtherSpans.ROOM; i++) {
      assertThat(tail.ended(other(i + 1, StatusCode.OK))).isTrue();
    }
    assertThat(counts.othersLetGo(TailLoss.FULL)).isEqualTo(1);
  }

  @Test
  void othersSpan_whileOff_passesByItself() {
    with(Keys.TAIL, false);
    assertThat(tail.ended(other(1, StatusCode.OK))).isFalse();
  }

  @Test
  void othersSpan_afterTheLastDrain_followsWhatIsKnown() {
    with(Keys.TAIL, true);
    span(1, 1, failed());
    tail.closing(10_000);
    tail.flush();
    ReadableSpan waited = other(1, StatusCode.OK);
    tail.ended(waited);
    tail.drained();
    ReadableSpan late = other(1, StatusCode.OK);
    tail.ended(late);
    tail.ended(other(2, StatusCode.OK));
    assertThat(others.spans).containsExactly(waited, late);
    assertThat(counts.othersLetGo(TailLoss.NORMAL)).isEqualTo(1);
  }

  @Test
  void othersSpans_drainerDoesNotComeBack_areCountedAndPassByThemselves() {
    with(Keys.TAIL, true);
    tail.ended(other(1, StatusCode.OK));
    tail.ended(other(2, StatusCode.ERROR));
    tail.abandoned();
    assertThat(counts.othersLetGo(TailLoss.FULL)).as("what waited").isEqualTo(2);
    assertThat(tail.ended(other(3, StatusCode.OK))).isTrue();
    assertThat(counts.othersLetGo(TailLoss.NORMAL)).isEqualTo(1);
    assertThat(tail.ended(other(4, StatusCode.ERROR))).as("exported at once").isFalse();
    assertThat(counts.othersKept()).isEqualTo(1);
    assertThat(others.spans).isEmpty();
  }

  private static ReadableSpan other(long trace, StatusCode status) {
    return other(trace, status, "");
  }

  private static ReadableSpan other(long trace, StatusCode status, String text) {
    SpanContext parent =
        SpanContext.create(
            io.opentelemetry.api.trace.TraceId.fromLongs(trace, trace),
            SpanId.fromLong(7),
            TraceFlags.getSampled(),
            TraceState.getDefault());
    Span span =
        OTHER
            .get("other")
            .spanBuilder("GET")
            .setParent(Context.root().with(Span.wrap(parent)))
            .startSpan();
    span.setStatus(status).setAttribute("text", text);
    span.end();
    return (ReadableSpan) span;
  }

  /** Takes all. */
  private static final class Others implements OtherSink {
    final List<ReadableSpan> spans = new ArrayList<>();

    @Override
    public int room() {
      return Integer.MAX_VALUE;
    }

    @Override
    public void accept(ReadableSpan span) {
      spans.add(span);
    }
  }

  /** Takes as many as it is told to. */
  private static final class Exporter implements SpanSink {
    final List<Long> spans = new ArrayList<>();
    int room = 1_000_000;

    @Override
    public void accept(SpanView span) {
      spans.add(span.spanId());
    }

    @Override
    public int room() {
      return room;
    }
  }
}
