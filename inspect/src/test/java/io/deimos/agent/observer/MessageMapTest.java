// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.budget.SearchTerm;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import io.deimos.recorder.trace.Link;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MessageMapTest {
  private static final long MILLI = 1_000_000;

  private final Observer observer = new Observer(4 << 20);
  private final Records records = new Records(observer);
  private final ActorTelemetry cart = actor("cart", "map.Cart");
  private final ActorTelemetry payment = actor("payment", "map.Payment");
  private long span = 100;

  private static ActorTelemetry actor(String name, String type) {
    ActorTelemetry actor = Records.actor("pekko://map/user/" + name, type);
    actor.started();
    return actor;
  }

  private long processed(
      ActorTelemetry actor, @Nullable ActorTelemetry sender, long parent, @Nullable Rare rare) {
    long start = Clock.now();
    records.processed(7, 8, ++span, parent, start - 5 * MILLI, start, MILLI, actor, sender, rare);
    return span;
  }

  private MessageMap map(String... open) {
    return observer.map(new MapQuery(60, List.of(), Set.of(open), 100), Scan.unbounded());
  }

  private static Map<String, MessageMap.Edge> edges(MessageMap map) {
    return map.edges().stream()
        .collect(Collectors.toMap(edge -> edge.from() + " > " + edge.to(), Function.identity()));
  }

  private static MessageMap.Edge edge(MessageMap map, String key) {
    return Objects.requireNonNull(edges(map).get(key), key);
  }

  @Test
  void map_messagesBetweenClasses_areAnEdgeWithItsFigures() {
    processed(payment, cart, 0, null);
    processed(payment, cart, 0, new Rare(new IllegalStateException("no"), null, null, null));
    MessageMap map = map();
    assertThat(map.messages()).isEqualTo(2);
    MessageMap.Edge edge = edge(map, "class:map.Cart > class:map.Payment");
    assertThat(edge.traffic().messages()).isEqualTo(2);
    assertThat(edge.traffic().failures()).isEqualTo(1);
    assertThat(edge.traffic().waitP99Nanos()).isBetween(4 * MILLI, 9 * MILLI);
    assertThat(edge.classes())
        .extracting(MessageMap.OfClass::name)
        .containsExactly("shop.Orders$Place");
    assertThat(edge.samples().latest().span().spanId()).isEqualTo(102);
    assertThat(Objects.requireNonNull(edge.samples().failed()).span().spanId()).isEqualTo(102);
    assertThat(map.nodes())
        .filteredOn(node -> node.name().equals("map.Payment"))
        .singleElement()
        .satisfies(
            node -> {
              assertThat(node.received().messages()).isEqualTo(2);
              assertThat(node.living()).isPositive();
            });
  }

  @Test
  void map_slowestOfAnEdge_areOneOfEachTraceTheSlowestFirst() {
    long now = Clock.now();
    for (int i = 1; i <= 10; i++) {
      records.processed(i, i, i, 0, now, now, i * MILLI, payment, cart, null);
    }
    records.processed(9, 9, 90, 0, now, now, 9 * MILLI + 1, payment, cart, null);
    assertThat(edge(map(), "class:map.Cart > class:map.Payment").samples().slowest())
        .extracting(sample -> sample.span().spanId())
        .containsExactly(10L, 90L, 8L, 7L, 6L, 5L, 4L, 3L);
  }

  /** A typed message has no sender: it is who was at work when it was sent. */
  @Test
  void map_messageWithoutASender_isOfTheActorWhoseMessageIsItsParent() {
    long asking = processed(cart, null, 0, null);
    processed(payment, null, asking, null);
    processed(payment, null, 4711, null);
    assertThat(edges(map()))
        .containsOnlyKeys(
            "outside > class:map.Cart",
            "class:map.Cart > class:map.Payment",
            "outside > class:map.Payment");
  }

  @Test
  void map_tickOfATimer_isOfTheTimers() {
    Rare tick =
        new Rare(null, null, null, null, new Link(1, 2, 3, Link.TICK), false, List.of(), null);
    processed(cart, null, 0, tick);
    assertThat(edges(map())).containsOnlyKeys("timer > class:map.Cart");
  }

  @Test
  void map_groupedActors_areTheGroup() {
    ActorTelemetry grouped =
        Actors.register(
            "pekko://map/user/carts/1", ActorKinds.of("shop", "map.Line", "/user/carts/*", false));
    processed(payment, grouped, 0, null);
    assertThat(edges(map())).containsOnlyKeys("group:/user/carts/* > class:map.Payment");
  }

  @Test
  void map_openedClass_isItsActorsAndTheOthers() {
    for (int i = 0; i < MapCounts.MAX_ACTORS + 3; i++) {
      processed(actor("opened-" + i, "map.Opened"), cart, 0, null);
    }
    MessageMap map = map("map.Opened");
    assertThat(map.nodes())
        .filteredOn(node -> node.kind() == MessageMap.Kind.ACTOR)
        .hasSize(MapCounts.MAX_ACTORS);
    assertThat(edge(map, "class:map.Cart > others:map.Opened").traffic().messages()).isEqualTo(3);
  }

  @Test
  void map_wordsAndLimit_narrowItAndSayWhatIsLeftOut() {
    for (int i = 0; i < 5; i++) {
      processed(actor("narrow-" + i, "map.Narrow" + i), cart, 0, null);
    }
    MessageMap few = observer.map(new MapQuery(60, List.of(), Set.of(), 2), Scan.unbounded());
    assertThat(few.edges()).hasSize(2);
    assertThat(few.edgesLeftOut()).isEqualTo(3);
    assertThat(few.messagesLeftOut()).isEqualTo(3);
    assertThat(
            observer
                .map(new MapQuery(60, SearchTerm.all("narrow3"), Set.of(), 9), Scan.unbounded())
                .edges())
        .hasSize(1);
    assertThat(
            observer
                .map(
                    new MapQuery(60, SearchTerm.all("place", "narrow"), Set.of(), 9),
                    Scan.unbounded())
                .edges())
        .hasSize(5);
    assertThat(
            observer
                .map(new MapQuery(60, SearchTerm.all("nobody"), Set.of(), 9), Scan.unbounded())
                .edges())
        .isEmpty();
  }

  @Test
  void map_moreThanTheLogHolds_isOfWhatItHolds() {
    Observer small = new Observer(1 << 20);
    Records into = new Records(small);
    for (int i = 0; i < 20_000; i++) {
      long now = Clock.now();
      into.processed(1, 2, 3 + i, 0, now, now, 10, payment, cart, null);
    }
    MessageMap map = small.map(new MapQuery(60, List.of(), Set.of(), 10), Scan.unbounded());
    assertThat(map.messages()).isBetween(1000L, 19_999L);
    assertThat(map.edges()).hasSize(1);
    assertThat(map.edges().get(0).traffic().messages()).isEqualTo(map.messages());
  }
}
