// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.messages.KindNumbers;
import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.WaitingMessage;
import io.deimos.recorder.housekeeping.WaitingMessage.Place;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Trace;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WhereTest {
  private static final long MILLI = 1_000_000;

  private final Observer observer = new Observer(4 << 20);
  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);
  private final Records records =
      new Records(
          new SpanSink() {
            @Override
            public void accept(SpanView span) {
              store.accept(span);
              observer.accept(span);
            }

            @Override
            public void flush() {}
          });
  private final ActorTelemetry cart = Records.actor("pekko://where/user/cart-17", "where.Cart");
  private final ActorTelemetry shopper = Records.actor("pekko://where/user/s", "where.Shopper");

  private void processed(
      long lo, long spanId, long parentId, @Nullable ActorTelemetry from, @Nullable Rare rare) {
    long start = Clock.now() - 10 * MILLI;
    records.processed(
        7, lo, spanId, parentId, start - 5 * MILLI, start, 2 * MILLI, cart, from, rare);
  }

  private Whereabouts find(String query) {
    return observer.where(WhereQuery.of(query), store, 10, Scan.unbounded());
  }

  @Test
  void find_processed_isToldOnceWithItsTimes() {
    processed(8, 9, 0, shopper, null);
    Whereabouts found = find("message:orders actor:cart-17 sender:where.Shopper");
    assertThat(found.counts()).isEqualTo(Map.of(Fate.PROCESSED, 1L));
    Sighting one = found.sightings().get(0);
    assertThat(one.story())
        .isEqualTo(
            "Orders.Place was processed by where/user/cart-17 in 2.0 ms, after 5.0 ms in its"
                + " mailbox, sent by where/user/s.");
    assertThat(one.span()).isEqualTo(new SpanRef(7, 8, 9));
    assertThat(one.times().waitNanos()).isEqualTo(5 * MILLI);
    assertThat(found.looked().records()).isEqualTo(1);
    assertThat(found.looked().traces()).isEqualTo(1);
  }

  @Test
  void find_toldByATypedActor_hasItsSenderByTheSpan() {
    processed(8, 9, 0, shopper, null);
    processed(8, 10, 9, null, null);
    Whereabouts found = find("sender:cart-17");
    assertThat(found.sightings()).extracting(Sighting::span).containsExactly(new SpanRef(7, 8, 10));
    assertThat(found.sightings().get(0).parties().senderPath()).isEqualTo(cart.path());
  }

  @Test
  void find_failed_isToldOnceByTroubleWithItsException() {
    Rare failed = new Rare(new IllegalStateException("no stock"), null, null, null);
    processed(8, 9, 0, shopper, failed);
    Whereabouts found = find("cart-17");
    assertThat(found.counts()).isEqualTo(Map.of(Fate.FAILED, 1L));
    assertThat(found.sightings().get(0).story()).contains("no stock");
    assertThat(found.sightings().get(0).troubleId()).isNotEmpty();
    assertThat(find("text:stock").total()).isEqualTo(1);
  }

  @Test
  void find_deadLetter_isToldWithWhy() {
    Incident told =
        new Incident(
            EventName.DEAD_LETTER,
            Clock.now(),
            Map.of(
                Attribute.MESSAGE_CLASS, "where.Charge",
                Attribute.ACTOR_PATH, "pekko://where/user/gone",
                Attribute.ACTOR_STATE, "stopped"),
            "",
            0,
            0,
            0);
    observer.incidents().take(told, false);
    Whereabouts found = find("message:charge actor:gone");
    assertThat(found.counts()).isEqualTo(Map.of(Fate.DEAD_LETTER, 1L));
    assertThat(found.sightings().get(0).story()).contains("its receiver had stopped");
  }

  @Test
  void find_trace_hasItsMessagesOnly() {
    processed(8, 9, 0, shopper, null);
    processed(11, 12, 0, shopper, null);
    Whereabouts found = find("trace:0000000000000007000000000000000b");
    assertThat(found.sightings())
        .extracting(Sighting::span)
        .containsExactly(new SpanRef(7, 11, 12));
  }

  @Test
  void find_whatWasNeverSeen_saysWhatWasLookedAtAndWhatNot() {
    processed(8, 9, 0, shopper, null);
    Whereabouts found = find("text:nobody-ever-said-this");
    assertThat(found.total()).isZero();
    assertThat(found.sightings()).isEmpty();
    assertThat(found.looked().records()).isEqualTo(1);
    assertThat(found.looked().sinceEpochNanos()).isPositive();
    assertThat(found.notLookedAt())
        .anyMatch(note -> note.contains("deimos.content.messages"))
        .anyMatch(note -> note.contains("tracing off"));
  }

  @Test
  void find_moreThanTheLimit_countsAllAndShowsTheLatest() {
    for (int i = 1; i <= 50; i++) {
      processed(100 + i, i, 0, shopper, null);
    }
    Whereabouts found = find("cart-17");
    assertThat(found.counts()).containsEntry(Fate.PROCESSED, 50L);
    assertThat(found.sightings()).hasSize(10);
  }

  @Test
  void waiting_inEachPlace_isFoundWithItsPosition() {
    WhereQuery query = WhereQuery.of("message:String");
    Sightings found = new Sightings(10);
    WaitingSearch search = search(query, found);
    long sent = Clock.now() - 3_000 * MILLI;
    Trace trace = new Trace(7, 8, true, null);
    assertThat(search.wants(cart)).isTrue();
    assertThat(search.see(waiting(Place.MAILBOX, cart, "", 3, "a", shopper, trace, sent))).isTrue();
    assertThat(search.see(waiting(Place.STASH, cart, "", 1, "b", null, null, 0))).isTrue();
    search.see(waiting(Place.BUFFER, shopper, "entity e-1 of Cart", 2, "c", null, null, 0));
    search.see(waiting(Place.OUTBOUND, null, "pekko://far@h:1/user/x", 0, "d", null, null, 0));
    search.see(waiting(Place.MAILBOX, cart, "", 4, 17L, shopper, trace, sent));
    assertThat(found.counts())
        .isEqualTo(
            Map.of(Fate.IN_MAILBOX, 1L, Fate.STASHED, 1L, Fate.BUFFERED, 1L, Fate.OUTBOUND, 1L));
    List<Sighting> shown = found.shown();
    assertThat(shown.get(0).story())
        .startsWith("String is the 3rd in the mailbox of where/user/cart-17, for 3")
        .endsWith("sent by where/user/s.");
    assertThat(shown.get(0).times().place()).isEqualTo(3);
    assertThat(shown.get(1).story())
        .isEqualTo("String is the next in the stash of where/user/cart-17.");
    assertThat(shown.get(2).story())
        .isEqualTo(
            "String is the 2nd that sharding keeps for entity e-1 of Cart, at where/user/s.");
    assertThat(shown.get(3).story()).isEqualTo("String waits to be sent to far@h:1/user/x.");
    assertThat(search.waiting()).isEqualTo(5);
  }

  @Test
  void waiting_closedQueueAndTooMany_areSaid() {
    WaitingSearch search = search(WhereQuery.of("message:String"), new Sightings(10));
    search.closed(cart, "java.util.concurrent.LinkedBlockingDeque", 12);
    for (int i = 0; i < WaitingSearch.MAX_WAITING; i++) {
      search.see(waiting(Place.MAILBOX, cart, "", 1, 17L, null, null, 0));
    }
    assertThat(search.goesOn()).isFalse();
    assertThat(search.wants(cart)).isFalse();
    assertThat(search.notes())
        .anyMatch(note -> note.startsWith("12 messages in the mailbox of where/user/cart-17 (java"))
        .anyMatch(note -> note.contains("the search ended after"));
  }

  @Test
  void onlyPath_ofAnActorByItsWholePath_isThat() {
    assertThat(search(WhereQuery.of("actor:" + cart.path()), new Sightings(1)).onlyPath())
        .isEqualTo(cart.path());
    assertThat(search(WhereQuery.of("actor:cart-17"), new Sightings(1)).onlyPath()).isNull();
  }

  private static WaitingSearch search(WhereQuery query, Sightings found) {
    LogSearch log =
        new LogSearch(new MessageLog(1 << 20), new KindNumbers(), query, Scan.unbounded());
    return new WaitingSearch(query, log, found, Scan.unbounded());
  }

  private static WaitingMessage waiting(
      Place place,
      @Nullable ActorTelemetry at,
      String to,
      int position,
      Object message,
      @Nullable Object sender,
      @Nullable Trace trace,
      long sent) {
    return new WaitingMessage(
        place, at, to, position, message, new WaitingMessage.Sending(sender, trace, 5, sent));
  }
}
