// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.observer.ActorQuery.Sort;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ObserverTest {
  private static final long MILLI = 1_000_000;

  private final Observer observer = new Observer(4 << 20);
  private final Records records = new Records(observer);
  private final List<ActorTelemetry> made = new ArrayList<>();

  private ActorTelemetry actor(String name, String type) {
    ActorTelemetry actor = Records.actor("pekko://observed/user/" + name, type);
    actor.started();
    made.add(actor);
    return actor;
  }

  @AfterEach
  void stopAll() {
    made.forEach(ActorTelemetry::stopped);
  }

  private void processed(
      ActorTelemetry actor, @Nullable ActorTelemetry sender, long waitNanos, long nanos) {
    long start = Clock.now();
    records.processed(
        1, 2, 3 + made.size(), 0, start - waitNanos, start, nanos, actor, sender, null);
    observer.flush();
  }

  private ActorPage page(Sort sort, String word, String type, String parent) {
    List<SearchTerm> words = word.isEmpty() ? List.of() : SearchTerm.all(word);
    return observer.page(
        new ActorQuery(sort, true, words, type, "", parent, false), 0, 100, Scan.unbounded());
  }

  @Test
  void page_sortedByMessages_hasTheBusiestFirst() {
    ActorTelemetry idle = actor("idle", "test.SortedByMessages");
    ActorTelemetry one = actor("one", "test.SortedByMessages");
    ActorTelemetry two = actor("two", "test.SortedByMessages");
    processed(one, null, 10, MILLI);
    processed(two, null, 10, MILLI);
    processed(two, null, 10, MILLI);
    ActorPage page = page(Sort.MESSAGES, "", "test.SortedByMessages", "");
    assertThat(page.lines()).extracting(ActorLine::actor).containsExactly(two, one, idle);
    assertThat(page.lines()).extracting(line -> line.work().messages()).containsExactly(2L, 1L, 0L);
    assertThat(page.total()).isEqualTo(3);
  }

  @Test
  void page_sortedByWait_hasTheLongestFirst() {
    ActorTelemetry quick = actor("quick", "test.SortedByWait");
    ActorTelemetry late = actor("late", "test.SortedByWait");
    ActorTelemetry unknown = actor("unknown", "test.SortedByWait");
    processed(quick, null, MILLI, 1);
    processed(late, null, 900 * MILLI, 1);
    processed(unknown, null, 0, 1);
    ActorPage page = page(Sort.WAIT, "", "SortedByWait", "");
    assertThat(page.lines()).extracting(ActorLine::actor).containsExactly(late, quick, unknown);
    assertThat(page.lines().get(2).work().waitP99Nanos()).isNull();
  }

  @Test
  void page_limitAndOffset_cutOnePart() {
    for (int i = 0; i < 30; i++) {
      actor("cut-" + i, "test.Cut");
    }
    ActorQuery query = new ActorQuery(Sort.AGE, false, List.of(), "test.Cut", "", "", false);
    List<ActorTelemetry> all =
        observer.page(query, 0, 100, Scan.unbounded()).lines().stream()
            .map(ActorLine::actor)
            .toList();
    assertThat(all).hasSize(30).doesNotHaveDuplicates();
    ActorPage part = observer.page(query, 10, 5, Scan.unbounded());
    assertThat(part.total()).isEqualTo(30);
    assertThat(part.lines())
        .extracting(ActorLine::actor)
        .containsExactlyElementsOf(all.subList(10, 15));
    assertThat(observer.page(query, 30, 5, Scan.unbounded()).lines()).isEmpty();
  }

  @Test
  void page_wordsAndParent_areLookedForInThePath() {
    ActorTelemetry parent = actor("above", "test.Above");
    ActorTelemetry child = actor("above/Cart-17", "test.Below");
    actor("above/cart-17/deeper", "test.Below");
    assertThat(page(Sort.AGE, "", "", parent.path()).lines())
        .extracting(ActorLine::actor)
        .containsExactly(child);
    assertThat(page(Sort.AGE, "cart-17", "", parent.path()).total()).isEqualTo(1);
    assertThat(page(Sort.AGE, "cart-18", "", parent.path()).total()).isZero();
  }

  @Test
  void page_stoppedActors_areNotInIt() {
    ActorTelemetry stops = actor("stops", "test.Stops");
    assertThat(page(Sort.AGE, "", "test.Stops", "").total()).isEqualTo(1);
    stops.stopped();
    assertThat(page(Sort.RATE, "", "test.Stops", "").total()).isZero();
  }

  @Test
  void actor_byNumberAndByPath_hasItsMessagesAndPeers() {
    ActorTelemetry cart = actor("cart", "test.Cart");
    ActorTelemetry shopper = actor("shopper", "test.Shopper");
    ActorTelemetry payment = actor("payment", "test.Payment");
    processed(cart, shopper, 5 * MILLI, 2 * MILLI);
    processed(cart, null, 0, MILLI);
    long now = Clock.now();
    Rare failed = new Rare(new IllegalStateException("no"), null, null, null);
    records.processed(8, 9, 10, 0, now - 5, now, MILLI, payment, cart, failed);
    observer.flush();

    OneActor one =
        Objects.requireNonNull(observer.actor(Integer.toString(cart.id()), Scan.unbounded()));
    assertThat(one.line().actor()).isSameAs(cart);
    assertThat(one.correspondence().received())
        .extracting(Correspondence.Received::sender)
        .containsExactly(0, shopper.id());
    assertThat(one.correspondence().received())
        .extracting(received -> received.processing().waitNanos())
        .containsExactly(null, 5 * MILLI);
    assertThat(one.correspondence().received().get(1).processing().nanos()).isEqualTo(2 * MILLI);
    assertThat(one.correspondence().senders())
        .containsExactlyInAnyOrder(
            new Correspondence.Peer(0, 1, 0), new Correspondence.Peer(shopper.id(), 1, 0));
    assertThat(one.correspondence().receivers())
        .containsExactly(new Correspondence.Peer(payment.id(), 1, 1));

    OneActor other = Objects.requireNonNull(observer.actor(payment.path(), Scan.unbounded()));
    assertThat(other.line().work().failures()).isEqualTo(1);
    assertThat(other.correspondence().received().get(0).processing().failed()).isTrue();
    assertThat(other.correspondence().received().get(0).processing().span().traceHi()).isEqualTo(8);
  }

  @Test
  void actor_nobody_isNull() {
    assertThat(observer.actor("0", Scan.unbounded())).isNull();
    assertThat(observer.actor("9999999999", Scan.unbounded())).isNull();
    assertThat(observer.actor("pekko://observed/user/nobody", Scan.unbounded())).isNull();
    assertThat(observer.actor("", Scan.unbounded())).isNull();
  }
}
