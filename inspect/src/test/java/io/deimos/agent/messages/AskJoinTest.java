// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import java.util.List;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.Test;

class AskJoinTest {
  private static final long MILLI = 1_000_000;

  private static final int FRONT = 11;
  private static final int CART = 12;
  private static final int STORE = 13;
  private static final int DISK = 14;

  private final KindNumbers kinds = new KindNumbers();
  private final AskLog asks = new AskLog(1, kinds);
  private final MessageLog messages = new MessageLog(1);

  private int kind(int actor) {
    return kinds.of(ActorKinds.of("joined", name(actor), false));
  }

  private static String name(int actor) {
    return List.of("", "Front", "Cart", "Store", "Disk").get(actor - 10);
  }

  private static AskSite site(int asker, int asked) {
    return new AskSite(asker == 0 ? "" : name(asker), name(asked), "test.Get");
  }

  /** An ask that is open from one millisecond to another. */
  private void asked(
      long span, long parent, int[] fromTo, long timeoutMillis, int beginMillis, int endMillis) {
    asks.add(
        new MessageRecord()
            .span(1, 2, span, parent)
            .actors(fromTo[0], fromTo[0] == 0 ? 0 : kind(fromTo[0]), fromTo[1], kind(fromTo[1]))
            .times(timeoutMillis * MILLI, beginMillis * MILLI, (endMillis - beginMillis) * MILLI)
            .message(
                MessageClasses.of("test.Get").id(),
                Origin.ASK,
                endMillis - beginMillis >= timeoutMillis));
  }

  private void processed(long span, long parent, int by) {
    messages.add(
        new MessageRecord()
            .span(1, 2, span, parent)
            .actors(0, 0, by, kind(by))
            .times(0, 0, MILLI)
            .message(MessageClasses.of("test.Get").id(), Origin.ASK, false));
  }

  private AsksSeen seen() {
    return AskJoin.read(asks, messages, Scan.unbounded());
  }

  private static int[] to(int from, int to) {
    return new int[] {from, to};
  }

  @Test
  void ask_madeForAnother_isWithinIt() {
    processed(2, 1, CART);
    asked(3, 2, to(CART, STORE), 5000, 10, 20);
    asked(1, 0, to(0, CART), 3000, 0, 30);
    assertThat(seen().nested())
        .singleElement()
        .satisfies(
            nested -> {
              assertThat(nested.outer()).isEqualTo(site(0, CART));
              assertThat(nested.inner()).isEqualTo(site(CART, STORE));
              assertThat(nested.unwaited()).isZero();
              assertThat(nested.longer()).isOne();
              assertThat(nested.outerTimeoutNanos()).isEqualTo(3000 * MILLI);
              assertThat(nested.innerTimeoutNanos()).isEqualTo(5000 * MILLI);
              assertThat(nested.seen().times()).isOne();
              assertThat(nested.seen().example()).isEqualTo(new SpanRef(1, 2, 3));
            });
  }

  @Test
  void ask_afterAnAnswerOfAnotherActor_isWithinTheFirstAsk() {
    processed(2, 1, CART); // gets the request, tells the store
    processed(3, 2, STORE); // tells the cart
    processed(4, 3, CART); // asks the disk
    asked(5, 4, to(CART, DISK), 1000, 10, 20);
    asked(1, 0, to(0, CART), 3000, 0, 30);
    assertThat(seen().nested()).singleElement().extracting(AsksSeen.Nested::longer).isEqualTo(0);
  }

  @Test
  void ask_ofAnActorThatWasToldByTheOneAsked_isWithinNone() {
    processed(2, 1, CART); // gets the request, tells the store
    processed(3, 2, STORE); // asks the disk
    asked(4, 3, to(STORE, DISK), 5000, 10, 20);
    asked(1, 0, to(0, CART), 3000, 0, 30);
    assertThat(seen().nested()).isEmpty();
    assertThat(seen().chains()).isEmpty();
  }

  @Test
  void ask_madeAfterTheAnswer_isWithinNone() {
    processed(2, 1, CART);
    asked(1, 0, to(0, CART), 3000, 0, 5);
    asked(3, 2, to(CART, STORE), 5000, 10, 20);
    assertThat(seen().nested()).isEmpty();
  }

  @Test
  void outerAsk_answeredBeforeTheInner_hasNotWaitedForIt() {
    processed(2, 1, CART);
    asked(1, 0, to(0, CART), 3000, 0, 15);
    asked(3, 2, to(CART, STORE), 5000, 10, 20);
    assertThat(seen().nested()).singleElement().extracting(AsksSeen.Nested::unwaited).isEqualTo(1);
    assertThat(seen().chains()).isEmpty();
  }

  @Test
  void outerAsk_outOfTimeBeforeTheInner_hasWaitedForIt() {
    processed(2, 1, CART);
    asked(1, 0, to(0, CART), 100, 0, 100);
    asked(3, 2, to(CART, STORE), 5000, 10, 200);
    assertThat(seen().nested()).singleElement().extracting(AsksSeen.Nested::unwaited).isEqualTo(0);
  }

  @Test
  void asksWithinAsks_areAChain_theOutermostFirst() {
    for (int i = 0; i < 30; i += 10) {
      processed(i + 2, i + 1, FRONT);
      processed(i + 4, i + 3, CART);
      processed(i + 6, i + 5, STORE);
      asked(i + 5, i + 4, to(CART, STORE), 1000, 20, 30);
      asked(i + 3, i + 2, to(FRONT, CART), 1000, 10, 40);
      asked(i + 1, 0, to(0, FRONT), 1000, 0, 50);
    }
    assertThat(seen().chains())
        .singleElement()
        .satisfies(
            chain -> {
              assertThat(chain.sites())
                  .containsExactly(site(0, FRONT), site(FRONT, CART), site(CART, STORE));
              assertThat(chain.seen().times()).isEqualTo(3);
              assertThat(chain.seen().example().spanId()).isEqualTo(21);
            });
  }

  @Test
  void asks_ofTheDrainer_areToldWithTheirRequestAndTheirEnd() {
    Records records =
        new Records(
            new SpanSink() {
              @Override
              public void accept(SpanView span) {
                asks.add(span);
              }
            });
    records.asked(1, 2, 3, 0, null);
    records.asked(1, 2, 4, 0, new TimeoutException());
    assertThat(seen().timed())
        .singleElement()
        .satisfies(
            timed -> {
              assertThat(timed.site()).isEqualTo(new AskSite("", "", "shop.Cart$Get"));
              assertThat(timed.answered()).isOne();
              assertThat(timed.timedOut()).isOne();
              assertThat(timed.p99Nanos()).isEqualTo(5_000);
            });
  }

  @Test
  void timings_areApartForEachTimeOut() {
    for (int i = 1; i <= 200; i++) {
      asked(i, 0, to(FRONT, CART), 1000, 0, i);
    }
    asked(300, 0, to(FRONT, CART), 1000, 0, 1000);
    asked(301, 0, to(FRONT, CART), 2000, 0, 7);
    assertThat(seen().timed())
        .anySatisfy(
            timed -> {
              assertThat(timed.timeoutNanos()).isEqualTo(1000 * MILLI);
              assertThat(timed.answered()).isEqualTo(200);
              assertThat(timed.timedOut()).isOne();
              assertThat(timed.p99Nanos()).isEqualTo(198 * MILLI);
              assertThat(timed.slowest().example().spanId()).isEqualTo(200);
            })
        .anySatisfy(timed -> assertThat(timed.p99Nanos()).isEqualTo(7 * MILLI))
        .hasSize(2);
  }
}
