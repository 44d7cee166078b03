// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.observer.Observer;
import io.deimos.agent.page.Asked;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class TroubleHandlerTest {
  private final Observer observer = new Observer(4 << 20);
  private final Records records = new Records(observer);
  private final ActorTelemetry payment =
      Records.actor("pekko://troubled/user/payment", "test.troubled.Payment");

  @BeforeEach
  void begin() {
    for (int i = 0; i < 3; i++) {
      long now = Clock.now();
      Rare rare = new Rare(new IllegalStateException("declined"), null, null, null);
      records.processed(5, 6, 7 + i, 0, now - 7, now, 1, payment, null, rare);
    }
  }

  private static Map<String, Object> get(@Nullable Observer from, int status, String path)
      throws Exception {
    return new Asked(from, List.of("deimos.page.port=x is not a number")).get(status, path);
  }

  @Test
  void list_failuresOfAKind_areOneGroupWithItsLatestStory() throws Exception {
    Map<String, Object> list = get(observer, 200, "/api/v1/trouble?kind=failure&q=troubled+pay");
    assertThat(list).containsEntry("total", 1L);
    long counted = // by other tests of this JVM
        ActorKinds.all().stream().filter(k -> !k.isSilent()).mapToLong(ActorKind::failed).sum();
    assertThat(object(list.get("kinds")))
        .containsEntry("failure", Math.max(3L, counted))
        .containsEntry("problem", 1L);
    Map<String, Object> group = object(array(list.get("groups")).get(0));
    assertThat(group)
        .containsEntry("kind", "failure")
        .containsEntry("actorClass", "test.troubled.Payment")
        .containsEntry("why", "java.lang.IllegalStateException")
        .containsEntry("count", 3L);
    assertThat(object(group.get("latest")))
        .containsEntry("actorPath", "pekko://troubled/user/payment")
        .containsEntry("traceId", "0".repeat(15) + "5" + "0".repeat(15) + "6")
        .containsEntry("senderPath", null)
        .doesNotContainKey("stack");

    Map<String, Object> one = get(observer, 200, "/api/v1/trouble/" + group.get("id"));
    assertThat(array(one.get("examples"))).hasSize(3);
    assertThat(String.valueOf(object(array(one.get("examples")).get(0)).get("stack")))
        .startsWith("at io.deimos.agent.answers.TroubleHandlerTest");
  }

  @Test
  void one_actorHadMessagesBefore_hasThemNewestFirst() throws Exception {
    Observer fresh = new Observer(4 << 20);
    Records into = new Records(fresh);
    long now = Clock.now();
    ActorTelemetry cart = Records.actor("pekko://troubled/user/cart", "test.troubled.Cart");
    into.processed(1, 1, 11, 0, now - 9_000, now - 8_000, 5, payment, cart, null);
    into.processed(1, 1, 12, 0, now - 7_000, now - 6_000, 6, cart, null, null);
    into.processed(1, 1, 13, 0, now - 5_000, now - 4_000, 7, payment, null, null);
    Rare failed = new Rare(new IllegalStateException("declined"), null, null, null);
    into.processed(1, 1, 14, 0, now - 3_000, now - 2_000, 8, payment, null, failed);
    Map<String, Object> list = get(fresh, 200, "/api/v1/trouble?kind=failure");
    Object id = object(array(list.get("groups")).get(0)).get("id");
    Map<String, Object> one = get(fresh, 200, "/api/v1/trouble/" + id);
    List<Object> before = array(object(array(one.get("examples")).get(0)).get("before"));
    assertThat(before)
        .extracting(line -> object(line).get("spanId"))
        .containsExactly("000000000000000d", "000000000000000b");
    assertThat(object(before.get(1)))
        .containsEntry("class", "shop.Orders$Place")
        .containsEntry("senderPath", "pekko://troubled/user/cart")
        .containsEntry("processingNanos", 5L)
        .containsEntry("failed", false);
  }

  @Test
  void list_refusedSettings_areInIt() throws Exception {
    Map<String, Object> list = get(observer, 200, "/api/v1/trouble?kind=problem");
    Map<String, Object> group = object(array(list.get("groups")).get(0));
    assertThat(get(observer, 200, "/api/v1/trouble/" + group.get("id")))
        .containsEntry("id", group.get("id"));
    assertThat(object(group.get("latest")))
        .containsEntry("story", "deimos.page.port=x is not a number")
        .containsEntry("atMillis", null)
        .containsEntry("traceId", null);
  }

  @Test
  void groups_tracesThatOthersWereNotAskedFor_areInThem() {
    TraceStore store = new TraceStore(StoreLimits.DEFAULT);
    store.countNotAskedFor(3);
    assertThat(new TroubleHandler(new Asked(null, List.of()), store, null).groups())
        .filteredOn(group -> group.why().equals("traces_not_asked_for"))
        .singleElement()
        .satisfies(group -> assertThat(group.count()).isEqualTo(3));
  }

  @Test
  void requests_thatCannotBeAnswered_sayWhy() throws Exception {
    assertThat(String.valueOf(get(observer, 404, "/api/v1/trouble/999").get("error")))
        .contains("no such group: 999");
    assertThat(String.valueOf(get(null, 404, "/api/v1/trouble").get("error")))
        .contains("deimos.observer.memory=0");
  }
}
