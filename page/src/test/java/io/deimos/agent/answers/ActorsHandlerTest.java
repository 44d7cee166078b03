// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.observer.Observer;
import io.deimos.agent.page.Asked;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ActorsHandlerTest {
  private final Observer observer = new Observer(4 << 20);
  private final Records records = new Records(observer);
  private final ActorTelemetry cart =
      Records.actor("pekko://handled/user/carts/cart+1%20a", "test.handled.Cart");
  private final ActorTelemetry shopper =
      Records.actor("pekko://handled/user/shopper", "test.handled.Shopper");

  @BeforeEach
  void begin() {
    cart.started();
    shopper.started();
    long now = Clock.now();
    records.processed(1, 2, 3, 0, now - 7_000_000, now, 2_000_000, cart, shopper, null);
    observer.flush();
  }

  @AfterEach
  void end() {
    cart.stopped();
    shopper.stopped();
  }

  private Map<String, Object> get(String path) throws Exception {
    return answer(observer, 200, path);
  }

  private static Map<String, Object> answer(@Nullable Observer of, int status, String path)
      throws Exception {
    return new Asked(of, List.of()).get(status, path);
  }

  @Test
  void list_ofAClass_hasItsFigures() throws Exception {
    Map<String, Object> list = get("/api/v1/actors?class=test.handled.Cart&sort=-messages");
    assertThat(list).containsEntry("total", 1L).containsEntry("offset", 0L);
    assertThat(object(list.get("known"))).containsKeys("recordedShare", "mailboxes", "followed");
    Map<String, Object> row = object(array(list.get("actors")).get(0));
    assertThat(row)
        .containsEntry("path", "pekko://handled/user/carts/cart+1%20a")
        .containsEntry("class", "test.handled.Cart")
        .containsEntry("mailbox", null)
        .containsEntry("mailboxPeak", null)
        .containsEntry("messages", 1L)
        .containsEntry("failures", 0L);
    assertThat((Long) row.get("waitP99Nanos")).isBetween(4_000_000L, 8_400_000L);
  }

  @Test
  void actor_whoseNameHasNoEnd_isToldByItsBeginning() throws Exception {
    ActorTelemetry endless =
        Records.actor("pekko://handled/user/" + "n".repeat(1 << 20), "test.handled.Long");
    endless.started();
    try {
      Map<String, Object> list = get("/api/v1/actors?class=test.handled.Long");
      assertThat(object(array(list.get("actors")).get(0)))
          .extractingByKey("path")
          .asString()
          .startsWith("pekko://handled/user/nn")
          .hasSize(ActorTelemetry.MAX_PATH + 1);
      assertThat(get("/api/v1/actors/" + endless.id())).containsKeys("path", "received");
    } finally {
      endless.stopped();
    }
  }

  /** Beyond what the recorder tells apart, the counts are shared, and each actor has its class. */
  @Test
  void list_ofClassesThatAreCountedTogether_namesThem() throws Exception {
    List<ActorTelemetry> many = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      ActorTelemetry actor = Records.actor("pekko://handled/user/many-" + i, ActorKinds.OTHER);
      actor.named("test.many." + (i == 0 ? "Rare" : "Usual"));
      actor.started();
      many.add(actor);
    }
    try {
      Map<String, Object> list = get("/api/v1/actors?class=other");
      assertThat(list).containsEntry("total", 3L);
      assertThat(object(list.get("other")))
          .containsEntry("classes", 2L)
          .containsEntry(
              "most",
              List.of(
                  Map.of("class", "test.many.Usual", "living", 2L),
                  Map.of("class", "test.many.Rare", "living", 1L)));
      Map<String, Object> own = get("/api/v1/actors?class=test.many.Rare");
      assertThat(own).containsEntry("total", 1L).containsEntry("other", null);
      assertThat(object(array(own.get("actors")).get(0))).containsEntry("class", "test.many.Rare");
      assertThat(get("/api/v1/actors?q=many.usual")).containsEntry("total", 2L);
      assertThat(get("/api/v1/actors/" + many.get(0).id()))
          .containsEntry("class", "test.many.Rare");
    } finally {
      many.forEach(ActorTelemetry::stopped);
    }
  }

  @Test
  void list_withWordsParentAndLimit_isCut() throws Exception {
    assertThat(get("/api/v1/actors?q=handled+SHOP")).containsEntry("total", 1L);
    assertThat(get("/api/v1/actors?parent=pekko://handled/user")).containsEntry("total", 1L);
    assertThat(get("/api/v1/actors?group=/user/none-*")).containsEntry("total", 0L);
    Map<String, Object> cut = get("/api/v1/actors?q=handled&limit=1&offset=1&sort=age");
    assertThat(cut).containsEntry("total", 2L);
    assertThat(array(cut.get("actors"))).hasSize(1);
  }

  @Test
  void one_byNumberOrPath_hasMessagesAndPeers() throws Exception {
    String encoded = "pekko%3A%2F%2Fhandled%2Fuser%2Fcarts%2Fcart+1%2520a";
    for (String id : List.of(Integer.toString(cart.id()), encoded)) {
      Map<String, Object> one = get("/api/v1/actors/" + id);
      assertThat(one)
          .containsEntry("id", (long) cart.id())
          .containsEntry("dispatcher", null)
          .containsEntry("now", "alive")
          .containsEntry("group", null)
          .containsEntry("settings", List.of());
      Map<String, Object> received = object(array(one.get("received")).get(0));
      assertThat(received)
          .containsEntry("senderPath", shopper.path())
          .containsEntry("waitNanos", 7_000_000L)
          .containsEntry("processingNanos", 2_000_000L)
          .containsEntry("failed", false)
          .containsEntry("traceId", "0".repeat(15) + "1" + "0".repeat(15) + "2");
      assertThat(object(array(one.get("senders")).get(0)))
          .containsEntry("id", (long) shopper.id())
          .containsEntry("messages", 1L);
    }
  }

  @Test
  void requests_thatCannotBeAnswered_sayWhy() throws Exception {
    assertThat(answer(observer, 400, "/api/v1/actors?sort=size"))
        .extractingByKey("error")
        .asString()
        .contains("sort=size", "mailbox, peak, rate");
    assertThat(answer(observer, 400, "/api/v1/actors?limit=501"))
        .extractingByKey("error")
        .asString()
        .contains("[1, 500]");
    assertThat(answer(observer, 404, "/api/v1/actors/123456789"))
        .extractingByKey("error")
        .asString()
        .contains("no such actor lives now: 123456789");
    assertThat(answer(null, 404, "/api/v1/actors"))
        .extractingByKey("error")
        .asString()
        .contains("deimos.observer.memory=0");
  }
}
