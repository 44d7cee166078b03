// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TroubleBookTest {
  private final TroubleBook book = new TroubleBook(1 << 20);
  private final Records records = new Records(book::add);
  private final ActorTelemetry cart = Records.actor("pekko://shop/user/cart", "shop.Cart");
  private long span = 1;

  private void failed(ActorTelemetry actor, Throwable error) {
    long now = Clock.now();
    Rare rare = new Rare(error, null, null, null);
    records.processed(1, 2, span++, 0, now - 5, now, 1_000_000, actor, cart, rare);
  }

  private void add(Incident told) {
    book.add(told, false);
  }

  private static Incident incident(EventName event, long spanId, Map<Attribute, String> facts) {
    return new Incident(event, Clock.now(), facts, "at shop.Cart.wait", 0, 0, spanId);
  }

  @Test
  void add_tenThousandFailuresOfAKind_areOneGroup() {
    for (int i = 0; i < 10_000; i++) {
      failed(cart, new IllegalStateException("number " + i));
    }
    failed(cart, new IllegalArgumentException("another"));
    List<TroubleGroup> groups = book.groups();
    assertThat(groups).extracting(TroubleGroup::count).containsExactly(1L, 10_000L);
    TroubleGroup group = groups.get(1);
    assertThat(group.kind()).isEqualTo("failure");
    assertThat(group.actorClass()).isEqualTo("shop.Cart");
    assertThat(group.messageClass()).isEqualTo("shop.Orders$Place");
    assertThat(group.why()).isEqualTo("java.lang.IllegalStateException");
    assertThat(group.examples()).hasSizeBetween(1, 5);
    TroubleGroup.Example first = group.examples().get(group.examples().size() - 1);
    assertThat(first.story())
        .startsWith(
            "Cart failed while it processed Orders.Place: java.lang.IllegalStateException: number");
    assertThat(first.actorPath()).isEqualTo("pekko://shop/user/cart");
    assertThat(first.traceLo()).isEqualTo(2);
    assertThat(first.stack()).contains("at io.deimos.agent.observer.TroubleBookTest");
    assertThat(book.bytes()).isLessThan(50_000);
  }

  @Test
  void add_pathsAndWordsWithoutEnd_takeLittle() {
    ActorTelemetry endless =
        Records.actor("pekko://shop/user/" + "n".repeat(1 << 20), "shop.Endless");
    failed(endless, new IllegalStateException("x".repeat(1 << 20)));
    assertThat(book.groups().get(0).examples().get(0).actorPath()).hasSizeLessThan(1100);
    assertThat(book.bytes()).isLessThan(10_000);
  }

  @Test
  void add_exceptionThatCannotSayAnything_isToldByItsClass() {
    failed(
        cart,
        new IllegalStateException() {
          private static final long serialVersionUID = 1;

          @Override
          public String getMessage() {
            throw new IllegalArgumentException("not even this");
          }
        });
    assertThat(book.groups().get(0).examples().get(0).story())
        .startsWith(
            "Cart failed while it processed Orders.Place: io.deimos.agent.observer.Trouble");
  }

  @Test
  void add_timeOut_saysWhatBecameOfTheRequest() {
    add(timeOut(0));
    TroubleGroup group = book.groups().get(0);
    assertThat(group.kind()).isEqualTo("ask_timeout");
    assertThat(group.examples().get(0).story())
        .isEqualTo(
            "Payment.Charge was asked of shop/user/payment by shop/user/cart and not answered in"
                + " time; the actor that was asked took it and had not answered.");
  }

  private static Incident timeOut(long spanId) {
    return incident(
        EventName.ASK_TIMEOUT,
        spanId,
        Map.of(
            Attribute.MESSAGE_CLASS, "shop.Payment$Charge",
            Attribute.ACTOR_PATH, "pekko://shop/user/payment",
            Attribute.ACTOR_CLASS, "shop.Payment",
            Attribute.SENDER_PATH, "pekko://shop/user/cart",
            Attribute.ASK_TARGET_STATE, "processed"));
  }

  private static Incident lateAnswer(String asked) {
    return incident(
        EventName.DEAD_LETTER,
        0,
        Map.of(
            Attribute.MESSAGE_CLASS, "shop.Payment$Approved",
            Attribute.ACTOR_ASK_MESSAGE, "shop.Payment$Charge",
            Attribute.ASK_LATE, "0.4",
            Attribute.ASK_SPAN, asked,
            Attribute.ACTOR_STATE, "ask ended",
            Attribute.SENDER_PATH, "pekko://shop/user/payment"));
  }

  @Test
  void add_lateAnswer_saysHowLateInItsStoryAndInThatOfItsAsk() {
    add(timeOut(0xab));
    add(timeOut(0xac));
    add(lateAnswer("00000000000000ab"));
    TroubleGroup letter = book.groups().get(0);
    assertThat(letter.kind()).isEqualTo("dead_letter");
    assertThat(letter.why()).isEqualTo("it answers an ask that had timed out");
    assertThat(letter.examples().get(0).story())
        .isEqualTo(
            "Payment.Approved, sent by shop/user/payment, for whoever asked Payment.Charge became a"
                + " dead letter: it answers an ask that had timed out, 0.4 s too late.");
    assertThat(book.groups().get(1).examples())
        .filteredOn(example -> example.story().endsWith(" The answer came 0.4 s too late."))
        .singleElement()
        .satisfies(example -> assertThat(example.spanId()).isEqualTo(0xab));
  }

  /** Records come by the threads that write them, so the ask's may be the later one. */
  @Test
  void add_askWhoseLateAnswerIsKnown_saysSo() {
    add(lateAnswer("00000000000000ab"));
    add(timeOut(0xab));
    assertThat(book.groups().get(0).examples().get(0).story())
        .endsWith("took it and had not answered. The answer came 0.4 s too late.");
  }

  @Test
  void add_messageForAFullMailbox_countsAsDroppedAsItDoesInMetrics() {
    add(incident(EventName.DEAD_LETTER, 0, Map.of(Attribute.ACTOR_STATE, "mailbox full")));
    assertThat(book.groups()).extracting(TroubleGroup::kind).containsExactly("dropped");
    assertThat(book.groups().get(0).why()).isEqualTo("its receiver's mailbox was full");
  }

  @Test
  void add_moreDeadLettersThanASpanNames_areAllCounted() {
    Rare rare = null;
    for (int i = 0; i < 20; i++) {
      rare = Rare.with(rare, incident(EventName.DEAD_LETTER, 7, Map.of()));
    }
    long now = Clock.now();
    records.processed(1, 2, 7, 0, now - 5, now, 1, cart, null, rare);
    assertThat(book.groups().stream().mapToLong(TroubleGroup::count).sum()).isEqualTo(20);
  }

  /** A failure without a record: there is no stack, but the class and the exception are known. */
  @Test
  void add_failureThatWasTold_isAFailureAsOthers() {
    add(
        incident(
            EventName.FAILED,
            0,
            Map.of(
                Attribute.ERROR_TYPE, "java.lang.IllegalStateException",
                Attribute.MESSAGE_CLASS, "shop.Orders$Place",
                Attribute.ACTOR_CLASS, "shop.Cart")));
    failed(cart, new IllegalStateException("recorded"));
    TroubleGroup group = book.groups().get(0);
    assertThat(book.groups()).hasSize(1);
    assertThat(group.count()).isEqualTo(2);
    assertThat(group.examples().get(1).story())
        .isEqualTo("Cart failed while it processed Orders.Place: java.lang.IllegalStateException");
    assertThat(book.lastFailureEpochNanos()).isPositive();
  }

  @Test
  void add_incidentOnASpan_isCountedByItsRecord() {
    Map<Attribute, String> facts =
        Map.of(Attribute.MESSAGE_CLASS, "shop.Late", Attribute.ACTOR_STATE, "stopped");
    Incident told = incident(EventName.DEAD_LETTER, 7, facts);
    long now = Clock.now();
    records.processed(1, 2, 7, 0, now - 5, now, 1, cart, null, Rare.with(null, told));
    assertThat(book.groups()).extracting(TroubleGroup::count).containsExactly(1L);
    assertThat(book.groups().get(0).why()).isEqualTo("its receiver had stopped");
    assertThat(book.groups().get(0).examples().get(0).traceHi()).isEqualTo(1);
  }

  @Test
  void add_stuckMessageToldAgain_isOneWithTheLatestStory() {
    for (int i = 0; i < 8; i++) { // more than there are examples
      Map<Attribute, String> facts = Map.of(Attribute.ACTOR_PATH, "pekko://shop/user/cart-" + i);
      add(incident(EventName.STUCK, 0, facts));
    }
    for (int i = 0; i < 8; i++) {
      Map<Attribute, String> facts = Map.of(Attribute.ACTOR_PATH, "pekko://shop/user/cart-" + i);
      book.add(incident(EventName.STUCK, 0, facts), true);
    }
    TroubleGroup group = book.groups().get(0);
    assertThat(group.count()).isEqualTo(8);
    assertThat(group.examples())
        .extracting(TroubleGroup.Example::actorPath)
        .doesNotHaveDuplicates();
    assertThat(group.examples().get(0).stack()).isEqualTo("at shop.Cart.wait");
  }

  @Test
  void add_moreKindsThanThereIsRoomFor_theLatestStay() {
    for (int i = 0; i < TroubleBook.MAX_GROUPS + 10; i++) {
      add(incident(EventName.DEAD_LETTER, 0, Map.of(Attribute.MESSAGE_CLASS, "shop.M" + i)));
    }
    assertThat(book.groups()).hasSize(TroubleBook.MAX_GROUPS);
    assertThat(book.groups().get(0).messageClass())
        .isEqualTo("shop.M" + (TroubleBook.MAX_GROUPS + 9));
    assertThat(book.letGo()).isEqualTo(10);
  }

  /** Failures of very many classes are many groups, and no reason to forget a dead letter. */
  @Test
  void add_moreGroupsOfOneKind_leaveTheOtherKindsAlone() {
    add(incident(EventName.DEAD_LETTER, 0, Map.of(Attribute.MESSAGE_CLASS, "shop.Lost")));
    for (int i = 0; i < 2 * TroubleBook.MAX_GROUPS; i++) {
      add(incident(EventName.STUCK, 0, Map.of(Attribute.MESSAGE_CLASS, "shop.M" + i)));
    }
    assertThat(book.groups())
        .hasSize(TroubleBook.MAX_GROUPS)
        .anySatisfy(group -> assertThat(group.messageClass()).isEqualTo("shop.Lost"));
    assertThat(book.letGoByKind()).containsExactly(Map.entry("stuck", TroubleBook.MAX_GROUPS + 1L));
  }

  @Test
  void add_moreThanItMayTake_theEldestGroupsGo() {
    TroubleBook small = new TroubleBook(10_000);
    for (int i = 0; i < 100; i++) {
      String message = "shop.M" + i;
      Map<Attribute, String> facts = Map.of(Attribute.MESSAGE_CLASS, message);
      small.add(
          new Incident(EventName.STUCK, Clock.now(), facts, "x".repeat(10_000), 0, 0, i + 1),
          false);
      assertThat(small.groups().get(0).messageClass()).isEqualTo(message);
    }
    assertThat(small.groups()).hasSizeBetween(1, 3);
    assertThat(small.letGo()).isEqualTo(100 - small.groups().size());
    assertThat(small.groups().get(0).examples().get(0).stack()).hasSize(4001);
    assertThat(small.bytes()).isLessThanOrEqualTo(10_000);
  }
}
