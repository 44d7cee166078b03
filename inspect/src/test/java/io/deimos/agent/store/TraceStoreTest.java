// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.deimos.agent.span.PlainSpan;
import io.deimos.agent.span.RecordedSpan;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Trace;
import io.opentelemetry.api.common.AttributeKey;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TraceStoreTest {
  private static final StoreLimits ROOMY = new StoreLimits(100_000, 100_000, 5_000);

  private static final long SECOND = 1_000_000_000L;

  private final AtomicLong now = new AtomicLong(SECOND);
  private final Random random = new Random(11);
  private final TraceStore store = new TraceStore(ROOMY);
  private final Records records = new Records(store);

  private static SpanData upstream(long hi, long lo, long spanId, long parentId, String name) {
    return upstream(hi, lo, spanId, parentId, name, StatusData.unset(), Attributes.empty());
  }

  private static SpanData upstream(
      long hi,
      long lo,
      long spanId,
      long parentId,
      String name,
      StatusData status,
      Attributes attributes) {
    long now = Clock.epochNanos(Clock.now());
    return TestSpanData.builder()
        .setHasEnded(true)
        .setName(name)
        .setKind(SpanKind.SERVER)
        .setStatus(status)
        .setAttributes(attributes)
        .setSpanContext(context(hi, lo, spanId))
        .setParentSpanContext(parentId == 0 ? SpanContext.getInvalid() : context(hi, lo, parentId))
        .setStartEpochNanos(now - 60_000_000_000L) // before any record, on any machine
        .setEndEpochNanos(now)
        .build();
  }

  private static SpanContext context(long hi, long lo, long spanId) {
    return SpanContext.create(
        TraceId.fromLongs(hi, lo),
        SpanId.fromLong(spanId),
        TraceFlags.getSampled(),
        TraceState.getDefault());
  }

  private static StoredTrace kept(TraceStore in, long hi, long lo) {
    return Objects.requireNonNull(in.trace(id(hi, lo)), "not kept");
  }

  private static String id(long hi, long lo) {
    return TraceId.fromLongs(hi, lo);
  }

  @Test
  void accept_bothSides_joinsThemByTraceId() {
    records.processed(1, 2, 21, 20);
    store.accept(upstream(1, 2, 20, 0, "GET /order"));
    StoredTrace trace = kept(store, 1, 2);
    assertThat(trace.spans())
        .extracting(SpanData::getName)
        .containsExactly("GET /order", "process Place");
    assertThat(trace.summary().name()).isEqualTo("GET /order");
    assertThat(trace.summary().complete()).isTrue();
    assertThat(store.counts().kept().traces()).isEqualTo(1);
  }

  @Test
  void offer_isTakenByTheNextRound_andByAFlush() {
    store.offer(upstream(1, 2, 20, 0, "GET /order"));
    assertThat(store.counts().kept().spans()).isZero();
    store.round();
    assertThat(kept(store, 1, 2).summary().name()).isEqualTo("GET /order");
    store.offer(upstream(3, 4, 40, 0, "GET /cart"));
    store.flush();
    assertThat(kept(store, 3, 4).summary().name()).isEqualTo("GET /cart");
  }

  @Test
  void offer_moreThanThereIsRoomFor_isCounted() {
    SpanData span = upstream(1, 2, 20, 0, "GET /order");
    long before = storeBytes();
    for (int i = 0; i < MadeSpans.CAPACITY + 3; i++) {
      store.offer(span);
    }
    assertThat(store.counts().turnedAway().spans()).isEqualTo(3);
    assertThat(storeBytes() - before).isEqualTo(2_048L * 1_024);
    store.round();
    store.offer(span);
    assertThat(store.counts().turnedAway().spans()).isEqualTo(3);
  }

  /** Many attributes are much memory, also for as long as they wait. */
  @Test
  void offer_spansWithMuchText_takeTheRoomOfSeveral() {
    SpanData large = withBody(1, 1_000_000);
    long before = storeBytes();
    store.offer(large);
    store.offer(large);
    store.offer(large);
    assertThat(store.counts().turnedAway().spans()).isEqualTo(1);
    assertThat(storeBytes() - before).isBetween(2_000_000L, 2_048L * 1_024);
    store.round();
    store.offer(withBody(3, 3_000_000));
    assertThat(store.counts().turnedAway().spans()).as("alone it is taken").isEqualTo(1);
  }

  private static SpanData withBody(int trace, int chars) {
    return upstream(
        trace,
        2,
        20,
        0,
        "GET /order",
        StatusData.unset(),
        Attributes.of(AttributeKey.stringKey("body"), "x".repeat(chars)));
  }

  private static long storeBytes() {
    return Memory.bytes().getOrDefault(Memory.Purpose.STORE, 0L);
  }

  @Test
  void accept_plainRecord_keepsItAsNumbers() {
    records.processed(1, 2, 3, 0);
    records.processed(
        1,
        2,
        4,
        3,
        1,
        2,
        3,
        null,
        null,
        new Rare(new IllegalStateException("x"), null, null, null));
    List<SpanData> spans = kept(store, 1, 2).spans();
    assertThat(spans).hasAtLeastOneElementOfType(RecordedSpan.class);
    // The exception itself is not kept, only its text.
    assertThat(spans).hasAtLeastOneElementOfType(PlainSpan.class);
  }

  @Test
  void latest_bySender_findsTheActorAtWorkOrTheSenderOfOneMessage() {
    ActorTelemetry cart = Records.actor("pekko://shop/user/sending/cart-1", "shop.SendingCart");
    ActorTelemetry stock = Records.actor("pekko://shop/user/stock", "shop.SendingStock");
    ActorTelemetry payment = Records.actor("pekko://shop/user/payment", "shop.SendingPayment");
    records.processed(1, 2, 3, 0, 1, 2, 3, cart, null, null);
    records.processed(1, 2, 4, 3, 1, 2, 3, payment, null, null); // as a typed actor sends
    records.processed(1, 3, 5, 0, 1, 2, 3, stock, cart, null);
    records.processed(1, 3, 6, 5, 1, 2, 3, payment, null, null);
    assertThat(found("sender:SendingCart")).containsExactlyInAnyOrder(id(1, 2), id(1, 3));
    assertThat(found("sender:SendingCart actor:SendingPayment")).containsExactly(id(1, 2));
    assertThat(found("sender:sending/cart-1 actor:SendingStock message:place"))
        .containsExactly(id(1, 3));
    assertThat(found("sender:SendingPayment")).isEmpty();
    assertThat(found("text:SendingStock")).containsExactly(id(1, 3));
  }

  @Test
  void accept_asksAndTheirAnswers_keepsThemAsNumbersAndPaths() {
    records.asked(1, 2, 3, 0, null);
    records.processed(
        1, 2, 4, 3, 1, 2, 3, null, null, new Rare(null, null, "Actor[pekko://shop/temp/a]", null));
    assertThat(kept(store, 1, 2).spans()).hasOnlyElementsOfType(RecordedSpan.class);
    assertThat(found("cart-7")).as("who was asked").containsExactly(id(1, 2));
    assertThat(found("actor:carts/cart-7")).containsExactly(id(1, 2));
    assertThat(found("/temp/a")).as("who asked").containsExactly(id(1, 2));
    assertThat(found("message:Cart$Get")).containsExactly(id(1, 2));
    assertThat(found("\"ask Get\"")).containsExactly(id(1, 2));
    assertThat(found("status:error")).isEmpty();
  }

  @Test
  void accept_writesOfEvents_areFoundByTheirNameAndPersistenceId() {
    ActorTelemetry cart = Records.actor("pekko://shop/user/cart-9", "shop.Cart");
    Operation operation =
        new Operation(Operation.Kind.PERSIST, cart, Trace.UNSAMPLED, null, 0, 3, 1);
    operation.persistenceId("basket|9");
    records.processed(
        1,
        2,
        3,
        0,
        1,
        1,
        3,
        cart,
        null,
        new Rare(null, null, null, null, null, false, List.of(), operation));
    assertThat(kept(store, 1, 2).spans()).hasOnlyElementsOfType(RecordedSpan.class);
    assertThat(found("basket|9")).containsExactly(id(1, 2));
    assertThat(found("\"persist Cart\"")).containsExactly(id(1, 2));
    assertThat(found("actor:cart-9")).containsExactly(id(1, 2));
    assertThat(found("message:Place")).as("no message").isEmpty();
    assertThat(kept(store, 1, 2).summary().actorClasses()).as("no message").isEmpty();
  }

  @Test
  void summary_failuresAndTimeouts_countsThemApart() {
    records.asked(1, 2, 3, 0, new TimeoutException("3 s"));
    records.asked(1, 2, 4, 3, null);
    long now = Clock.now();
    ActorTelemetry cart = Records.actor("pekko://shop/user/cart-7", "shop.Cart");
    records.processed(
        1,
        2,
        5,
        3,
        now,
        now,
        1,
        cart,
        null,
        new Rare(new IllegalStateException("x"), null, null, null));
    TraceSummary summary = kept(store, 1, 2).summary();
    assertThat(summary.spans().errors()).isEqualTo(1);
    assertThat(summary.spans().timeouts()).isEqualTo(1);
    assertThat(summary.spans().kept()).isEqualTo(3);
    assertThat(summary.actorClasses()).containsExactly("shop.Cart");
  }

  @Test
  void summary_rootNotThere_takesTheEarliestNameAndIsIncomplete() {
    records.processed(1, 2, 5, 4);
    TraceSummary summary = kept(store, 1, 2).summary();
    assertThat(summary.name()).isEqualTo("process Place");
    assertThat(summary.complete()).isFalse();
    records.processed(1, 2, 4, 0);
    assertThat(kept(store, 1, 2).summary().complete()).isTrue();
  }

  @Test
  void summary_times_areWallTimesOfTheClock() {
    long now = Clock.now();
    records.processed(1, 2, 3, 0, now, now + 1_000, 2_000, null, null, null);
    records.processed(1, 2, 4, 3, now + 2_000, now + 2_500, 7_500, null, null, null);
    TraceSummary summary = kept(store, 1, 2).summary();
    assertThat(summary.startEpochNanos()).isEqualTo(Clock.epochNanos(now));
    assertThat(summary.durationNanos()).isEqualTo(10_000);
  }

  @Test
  void latest_filters_newestFirst() {
    long now = Clock.now();
    ActorTelemetry cart = Records.actor("pekko://shop/user/cart-alice", "shop.Cart");
    records.processed(1, 1, 1, 0, now + 1_000, now + 1_000, 5, cart, null, null);
    records.processed(1, 3, 1, 0, now + 3_000, now + 3_000, 5, null, null, null);
    records.processed(1, 2, 1, 0, now + 2_000, now + 2_000, 5, null, null, null);
    records.asked(1, 2, 2, 1, new TimeoutException("x"));
    assertThat(store.latest(10, false, TraceQuery.of("")))
        .extracting(TraceSummary::traceId)
        .containsExactly(id(1, 3), id(1, 2), id(1, 1));
    assertThat(store.latest(2, false, TraceQuery.of(""))).hasSize(2);
    assertThat(store.latest(10, true, TraceQuery.of("")))
        .extracting(TraceSummary::traceId)
        .containsExactly(id(1, 2));
    assertThat(store.latest(10, false, TraceQuery.of("CART-Alice")))
        .extracting(TraceSummary::traceId)
        .containsExactly(id(1, 1));
    assertThat(store.latest(10, false, TraceQuery.of("ask ge"))).hasSize(1);
    assertThat(store.latest(10, false, TraceQuery.of(id(1, 3).toUpperCase(java.util.Locale.ROOT))))
        .hasSize(1);
    assertThat(store.latest(10, false, TraceQuery.of("nobody"))).isEmpty();
  }

  @Test
  void trace_unknownOrNoId_isNull() {
    records.processed(1, 2, 3, 0);
    assertThat(store.trace(id(9, 9))).isNull();
    assertThat(store.trace("")).isNull();
    assertThat(store.trace("zz")).isNull();
    assertThat(store.trace("+0000000000000010000000000000002")).isNull();
    assertThat(store.trace("g0000000000000010000000000000002")).isNull();
  }

  @Test
  void accept_moreThanFits_givesUpTheOldestTraceWhole() {
    TraceStore small = new TraceStore(new StoreLimits(100_000, 100, 50));
    Records into = new Records(small);
    for (long trace = 1; trace <= 30; trace++) {
      for (long span = 1; span <= 10; span++) {
        into.processed(7, trace, span, span - 1);
      }
    }
    assertThat(small.counts().kept().traces()).isEqualTo(9);
    assertThat(small.counts().kept().spans()).isEqualTo(90);
    assertThat(small.counts().evicted().traces()).isEqualTo(21);
    assertThat(small.counts().evicted().spans()).isEqualTo(210);
    assertThat(small.trace(id(7, 20))).isNull();
    assertThat(small.absence(id(7, 20))).isEqualTo(TraceStore.Absence.PUT_OUT);
    assertThat(small.absence(id(8, 20))).isEqualTo(TraceStore.Absence.UNKNOWN);
    assertThat(small.absence("20")).isEqualTo(TraceStore.Absence.NO_ID);
    assertThat(kept(small, 7, 22).spans()).hasSize(10);
    assertThat(small.latest(100, false, TraceQuery.of(""))).allMatch(TraceSummary::complete);

    into.processed(7, 20, 11, 10);
    assertThat(small.trace(id(7, 20))).as("a given-up trace does not come back in part").isNull();
    assertThat(small.counts().turnedAway().spans()).isEqualTo(1);
  }

  @Test
  void accept_longTrace_isTruncatedAndSaysSo() {
    TraceStore small = new TraceStore(new StoreLimits(100, 1_000, 50));
    Records into = new Records(small);
    for (long span = 1; span <= 80; span++) {
      into.processed(1, 2, span, span - 1);
    }
    TraceSummary summary = kept(small, 1, 2).summary();
    assertThat(summary.spans().kept()).isEqualTo(50);
    assertThat(summary.spans().truncated()).isEqualTo(30);
    assertThat(summary.complete()).isFalse();
    assertThat(small.counts().spansTruncated()).isEqualTo(30);
  }

  /** Sent over OTLP: the sender is told of each. */
  @Test
  void receive_moreThanATraceMayHave_saysHowManyWereLeftOut() {
    TraceStore small = new TraceStore(new StoreLimits(100, 1_000, 50));
    List<SpanData> spans = new ArrayList<>();
    for (long span = 1; span <= 80; span++) {
      spans.add(upstream(1, 2, span, span - 1, "GET /order"));
    }
    assertThat(small.receive(spans.subList(0, 40))).isZero();
    assertThat(small.receive(spans)).as("the first forty are there already").isEqualTo(30);
    assertThat(small.counts().spansTruncated()).isEqualTo(30);
  }

  /** The page asks other processes for their parts of traces that it keeps, within a bound. */
  @Test
  void newlyKept_moreThanAreRemembered_areCounted() {
    store.asks(true);
    for (int i = 1; i <= 8_200; i++) {
      store.pin(1, i);
    }
    assertThat(store.newlyKept()).hasSize(8_192).doesNotContain(new TraceKey(1, 8));
    assertThat(store.tracesNotAskedFor()).isEqualTo(8);
  }

  @Test
  void accept_longTexts_countAsSeveralSpans() {
    TraceStore small = new TraceStore(new StoreLimits(1_000, 100, 50));
    Attributes longText = Attributes.of(AttributeKey.stringKey("sql"), "x".repeat(9 * 1024));
    for (long trace = 1; trace <= 20; trace++) {
      small.accept(upstream(1, trace, 1, 0, "SELECT", StatusData.unset(), longText));
    }
    assertThat(small.counts().kept().spans()).isEqualTo(9);
    assertThat(small.counts().evicted().spans()).isEqualTo(11);
  }

  /** All spans that were ever given to a store, by what it says of itself. */
  private static long accounted(StoreCounts counts) {
    return counts.kept().spans()
        + counts.turnedAway().spans()
        + counts.spansTruncated()
        + counts.letGo().spans()
        + counts.thinned().spans()
        + counts.evicted().spans();
  }

  @Test
  void accept_highRate_keepsWholeTracesOfBothSidesAndCountsTheRest() {
    TraceStore busy = new TraceStore(new StoreLimits(20, 20_000, 5_000), now::get);
    Records into = new Records(busy);
    int traces = 20_000;
    for (int i = 0; i < traces; i++) {
      long hi = random.nextLong();
      long lo = random.nextLong();
      into.processed(hi, lo, 2, 1);
      into.asked(hi, lo, 3, 2, null);
      busy.accept(upstream(hi, lo, 1, 0, "GET"));
      now.addAndGet(SECOND / 2_000);
    }
    List<TraceSummary> kept = busy.latest(traces, false, TraceQuery.of("status:ok"));
    StoreCounts counts = busy.counts();
    assertThat(accounted(counts)).isEqualTo(3L * traces);
    assertThat(counts.letGo().traces()).isPositive();
    assertThat(counts.turnedAway().spans()).isPositive();
    assertThat(kept).hasSize((int) counts.kept().traces());
    assertThat(kept).allSatisfy(trace -> assertThat(trace.spans().kept()).isEqualTo(3));
    assertThat(kept).allMatch(TraceSummary::complete);
  }

  @Test
  void accept_timeoutsInAFlood_areAllKeptAndOrdinaryTracesShareWhatIsLeft() {
    TraceStore busy = new TraceStore(new StoreLimits(50, 20_000, 5_000), now::get);
    Records into = new Records(busy);
    List<String> timedOut = new ArrayList<>();
    long given = 0;
    for (int second = 0; second < 60; second++) {
      for (int i = 0; i < 4_000; i++) {
        long hi = random.nextLong();
        long lo = random.nextLong();
        into.processed(hi, lo, 2, 1);
        into.processed(hi, lo, 1, 0);
        given += 2;
        if (i % 400 == 0) {
          into.asked(hi, lo, 3, 2, new TimeoutException("x"));
          timedOut.add(id(hi, lo));
          given++;
        }
        now.addAndGet(SECOND / 4_000);
      }
    }
    assertThat(accounted(busy.counts())).isEqualTo(given);
    assertThat(busy.counts().turnedAway().errors()).isZero();
    assertThat(busy.counts().troubleEvicted()).isZero();
    assertThat(timedOut).hasSize(600).allSatisfy(id -> assertThat(busy.trace(id)).isNotNull());
    assertThat(busy.latest(1_000, true, TraceQuery.of(""))).hasSize(600);
    assertThat(busy.latest(1_000, false, TraceQuery.of("status:ok"))).hasSizeGreaterThan(500);
    assertThat(busy.counts().kept().spans()).isLessThanOrEqualTo(20_000);
  }

  @Test
  void pin_tenMinutesOfIncidentsInAFloodOfFailures_stayOnThePage() {
    TraceStore busy = new TraceStore(new StoreLimits(50, 20_000, 5_000), now::get);
    Records into = new Records(busy);
    List<String> told = new ArrayList<>();
    long given = 0;
    for (int second = 0; second < 600; second++) {
      for (int i = 0; i < 60; i++) {
        long hi = random.nextLong();
        long lo = random.nextLong();
        if (i == 30) {
          busy.pin(hi, lo);
          told.add(id(hi, lo));
        }
        for (long span = 10; span > 1; span--) {
          into.processed(hi, lo, span, span - 1);
        }
        into.asked(hi, lo, 1, 0, new IllegalStateException("x"));
        given += 10;
        now.addAndGet(SECOND / 60);
      }
    }
    assertThat(told).hasSize(600).allSatisfy(id -> assertThat(busy.trace(id)).isNotNull());
    assertThat(busy.latest(1_000, true, TraceQuery.of(""))).hasSize(1_000);
    StoreCounts counts = busy.counts();
    assertThat(accounted(counts)).isEqualTo(given);
    assertThat(counts.kept().spans() + counts.kept().traces()).isLessThanOrEqualTo(20_000);
    assertThat(counts.thinned().traces()).isPositive();
    assertThat(counts.troubleEvicted()).isPositive();
  }

  @Test
  void pin_spansNotYetThere_saysSo() {
    store.pin(1, 2);
    assertThat(store.trace(id(1, 2))).isNull();
    assertThat(store.absence(id(1, 2))).isEqualTo(TraceStore.Absence.TO_COME);
    records.processed(1, 2, 3, 0);
    assertThat(kept(store, 1, 2).spans()).hasSize(1);
  }

  @Test
  void judge_manyTicks_leaveRoomForRareWork() {
    TraceStore busy = new TraceStore(new StoreLimits(20, 20_000, 5_000), now::get);
    Records into = new Records(busy);
    for (long i = 0; i < 100; i++) {
      into.processed(1, i, 1, 0);
      if (i % 10 == 0) {
        into.asked(2, i, 1, 0, null);
        into.processed(2, i, 2, 1);
      }
    }
    now.addAndGet(2 * SECOND);
    busy.flush();
    assertThat(busy.counts().kept().traces()).as("nothing is quiet yet").isEqualTo(110);
    now.addAndGet(5 * SECOND);
    busy.flush();
    List<TraceSummary> kept = busy.latest(1_000, false, TraceQuery.of(""));
    assertThat(kept).filteredOn(t -> t.name().equals("ask Get")).hasSize(10);
    assertThat(kept).filteredOn(t -> t.name().equals("process Place")).hasSizeBetween(1, 10);
    assertThat(busy.counts().letGo().traces()).isEqualTo(110 - kept.size());
  }

  @Test
  void latest_moreTracesThanAsked_givesNoNameAll() {
    for (long i = 0; i < 100; i++) {
      records.asked(2, i, 1, 0, null);
      records.processed(2, i, 2, 1);
    }
    for (long i = 0; i < 100; i++) {
      records.processed(1, i, 1, 0);
    }
    List<TraceSummary> listed = store.latest(40, false, TraceQuery.of(""));
    assertThat(listed).hasSize(40);
    assertThat(listed).filteredOn(t -> t.spans().kept() == 1).hasSize(20);
  }

  @Test
  void summary_parentElsewhere_endsToRunWhenItIsQuiet() {
    TraceStore timed = new TraceStore(ROOMY, now::get);
    new Records(timed).processed(1, 2, 5, 4);
    assertThat(kept(timed, 1, 2).summary().extent().running()).isTrue();
    now.addAndGet(5 * SECOND);
    assertThat(kept(timed, 1, 2).summary().extent().running()).isFalse();
    assertThat(kept(timed, 1, 2).summary().complete()).isFalse();
  }

  @Test
  void latest_query_findsByDurationStatusEventActorAndMessage() {
    long at = Clock.now();
    ActorTelemetry cart = Records.actor("pekko://shop/user/cart-7", "shop.Cart");
    records.processed(1, 1, 1, 0, at, at, 600_000_000L, cart, null, null);
    records.asked(1, 2, 1, 0, new TimeoutException("x"));
    Incident letter =
        new Incident(EventName.DEAD_LETTER, at, Map.of(Attribute.ACTOR_PATH, "/gone"), "", 1, 3, 1);
    records.processed(
        1,
        3,
        1,
        0,
        at,
        at,
        5,
        null,
        null,
        new Rare(null, null, null, null, null, false, List.of(letter), null));
    assertThat(found("duration>500ms")).containsExactly(id(1, 1));
    assertThat(found(">0.5s")).containsExactly(id(1, 1));
    assertThat(found("<1ms")).containsExactlyInAnyOrder(id(1, 2), id(1, 3));
    assertThat(found("status:error")).containsExactlyInAnyOrder(id(1, 2), id(1, 3));
    assertThat(found("status:ok")).containsExactly(id(1, 1));
    assertThat(found("dead_letter")).containsExactly(id(1, 3));
    assertThat(found("event:dead_letter /gone")).containsExactly(id(1, 3));
    assertThat(found("actor:shop.cart")).containsExactly(id(1, 1));
    assertThat(found("message:Cart$Get")).containsExactly(id(1, 2));
    assertThat(found("actor:shop.cart status:error")).isEmpty();
    assertThat(found("\"process Place\" actor:\"cart-7\"")).containsExactly(id(1, 1));
    assertThatThrownBy(() -> TraceQuery.of("duration>500"))
        .hasMessageContaining("duration>500: needs a number with a unit");
    assertThatThrownBy(() -> TraceQuery.of("status:bad")).hasMessageContaining("status:error");
  }

  private List<String> found(String query) {
    return store.latest(10, false, TraceQuery.of(query)).stream()
        .map(TraceSummary::traceId)
        .toList();
  }

  /** Coarse: what the heap has more of after a collection, against the bound that is documented. */
  @Test
  void accept_floodOfLongTexts_holdsItsBytes() {
    TraceStore full = new TraceStore(new StoreLimits(1_000, 10_000, 2_500));
    long before = heapBytes();
    for (long trace = 1; trace <= 60_000; trace++) {
      Attributes text =
          Attributes.of(AttributeKey.stringKey("sql"), "x".repeat(200 + (int) (trace % 4_000)));
      full.accept(upstream(1, trace, 1, 0, "SELECT", StatusData.error(), text));
    }
    long held = heapBytes() - before;
    assertThat(accounted(full.counts())).isEqualTo(60_000);
    assertThat(full.counts().kept().spans()).isBetween(1_000L, 10_000L);
    assertThat(held).isLessThan(10_000L * StoreLimits.MAX_BYTES_PER_SPAN);
  }

  /** The same with the spans that are not kept, which are remembered for a while. */
  @Test
  void accept_floodOfLongTextsAndOfTracesThatAreNotTaken_holdsItsBytes() {
    TraceStore full = new TraceStore(new StoreLimits(50, 10_000, 2_500), now::get);
    Records into = new Records(full);
    long before = heapBytes();
    for (long trace = 1; trace <= 40_000; trace++) {
      Attributes text =
          Attributes.of(AttributeKey.stringKey("sql"), "x".repeat(200 + (int) (trace % 4_000)));
      boolean fails = trace % 4 == 0;
      full.accept(
          upstream(
              1, trace, 1, 0, "SELECT", fails ? StatusData.error() : StatusData.unset(), text));
      into.processed(2, trace, 1, 0);
      into.asked(3, trace, 1, 0, null);
      now.addAndGet(SECOND / 10_000);
    }
    long held = heapBytes() - before;
    assertThat(accounted(full.counts())).isEqualTo(3 * 40_000);
    assertThat(full.counts().turnedAway().spans()).isGreaterThan(50_000);
    assertThat(held).isLessThan(10_000L * StoreLimits.MAX_BYTES_PER_SPAN);
  }

  private static long heapBytes() {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < 3; i++) {
      System.gc();
      Runtime runtime = Runtime.getRuntime();
      least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
    }
    return least;
  }

  @Test
  void accept_manyFailures_printsFewStackTraces() {
    for (long span = 1; span <= 100; span++) {
      records.asked(1, 2, span, 0, new IllegalStateException("x"));
    }
    long printed =
        kept(store, 1, 2).spans().stream()
            .filter(
                span ->
                    span.getEvents()
                        .get(0)
                        .getAttributes()
                        .asMap()
                        .toString()
                        .contains("TraceStoreTest"))
            .count();
    assertThat(printed).isBetween(1L, 60L);
    assertThat(kept(store, 1, 2).spans())
        .extracting(span -> span.getStatus().getDescription(), span -> span.getEvents().size())
        .containsOnly(tuple("x", 1));
  }

  @Test
  void store_twoWritersTwoReaders_holdsItsBounds() throws Exception {
    TraceStore shared = new TraceStore(new StoreLimits(100_000, 500, 20));
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      int traces = 3_000;
      Callable<Void> drainer =
          () -> {
            Records into = new Records(shared);
            for (long trace = 1; trace <= traces; trace++) {
              for (long span = 1; span <= 6; span++) {
                into.processed(3, trace, span, span - 1);
              }
              shared.flush();
            }
            return null;
          };
      Callable<Void> application =
          () -> {
            for (long trace = 1; trace <= traces; trace++) {
              shared.accept(upstream(3, trace, 100, 1, "SELECT"));
            }
            return null;
          };
      Callable<Integer> reader =
          () -> {
            int read = 0;
            while (!done.get() || read == 0) {
              StoreCounts counts = shared.counts();
              assertThat(counts.kept().spans()).isBetween(0L, 500L);
              Set<String> seen = new HashSet<>();
              for (TraceSummary summary : shared.latest(1_000, false, TraceQuery.of(""))) {
                assertThat(seen.add(summary.traceId())).isTrue();
                assertThat(summary.spans().kept()).isBetween(1, 20);
                assertThat(summary.name()).isNotEmpty();
                StoredTrace trace = shared.trace(summary.traceId());
                if (trace != null) {
                  assertThat(trace.spans()).hasSize(trace.summary().spans().kept());
                }
                read++;
              }
            }
            return read;
          };
      List<Future<?>> writers = new ArrayList<>();
      List<Future<Integer>> readers = new ArrayList<>();
      writers.add(threads.submit(drainer));
      writers.add(threads.submit(application));
      readers.add(threads.submit(reader));
      readers.add(threads.submit(reader));
      for (Future<?> writer : writers) {
        writer.get(60, TimeUnit.SECONDS);
      }
      done.set(true);
      for (Future<Integer> one : readers) {
        assertThat(one.get(60, TimeUnit.SECONDS)).isPositive();
      }
      StoreCounts counts = shared.counts();
      assertThat(
              counts.kept().spans()
                  + counts.evicted().spans()
                  + counts.spansTruncated()
                  + counts.letGo().spans()
                  + counts.turnedAway().spans())
          .isEqualTo(traces * 7L);
    } finally {
      threads.shutdownNow();
    }
  }
}
