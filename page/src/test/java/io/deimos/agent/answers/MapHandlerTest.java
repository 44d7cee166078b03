// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.json.Json;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.observer.MapQuery;
import io.deimos.agent.observer.MessageMap;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.page.Asked;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import java.io.IOException;
import java.io.StringWriter;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class MapHandlerTest {
  private final Observer observer = new Observer(4 << 20);
  private final ActorTelemetry cart = Records.actor("pekko://mapped/user/cart", "mapped.Cart");

  private static Map<String, Object> get(@Nullable Observer from, int status, String path)
      throws Exception {
    return new Asked(from, List.of()).get(status, path);
  }

  @Test
  void map_ofMessages_hasNodesAndEdges() throws Exception {
    long now = Clock.now();
    new Records(observer).processed(5, 6, 7, 0, now - 2_000_000, now, 9, cart, null, null);
    Map<String, Object> map = get(observer, 200, "/api/v1/map?seconds=30&q=mapped");
    assertThat(map).containsEntry("messages", 1L).containsEntry("edgesLeftOut", 0L);
    assertThat(array(map.get("nodes")))
        .extracting(node -> object(node).get("key"))
        .containsExactlyInAnyOrder("outside", "class:mapped.Cart");
    Map<String, Object> edge = object(array(map.get("edges")).get(0));
    assertThat(edge)
        .containsEntry("from", "outside")
        .containsEntry("to", "class:mapped.Cart")
        .containsEntry("messages", 1L)
        .containsEntry("failed", null);
    assertThat(object(array(edge.get("classes")).get(0)))
        .containsEntry("class", "shop.Orders$Place");
    assertThat(object(edge.get("latest"))).containsEntry("spanId", "0".repeat(15) + "7");
  }

  @Test
  void map_openedByClass_hasActors() throws Exception {
    long now = Clock.now();
    new Records(observer).processed(5, 6, 7, 0, now, now, 9, cart, null, null);
    Map<String, Object> map = get(observer, 200, "/api/v1/map?open=mapped.Cart%7Cother");
    assertThat(array(map.get("nodes")))
        .extracting(node -> object(node).get("name"))
        .contains("pekko://mapped/user/cart");
  }

  @Test
  void map_slowestTraceIsNotKept_namesTheSlowestThatIs() throws Exception {
    long now = Clock.now();
    TraceStore store = new TraceStore(StoreLimits.DEFAULT);
    new Records(observer).processed(5, 1, 1, 0, now, now, 90, cart, null, null);
    new Records(observer).processed(5, 2, 2, 0, now, now, 80, cart, null, null);
    MessageMap map = observer.map(new MapQuery(60, List.of(), Set.of(), 10), Scan.unbounded());
    assertThat(slowest(map, store)).isNull();
    new Records(store).processed(5, 2, 2, 0, now, now, 80, cart, null, null);
    assertThat(object(slowest(map, store))).containsEntry("spanId", "0".repeat(15) + "2");
  }

  @Test
  void map_box_leadsToTheSlowestOfWhatItReceived() throws Exception {
    long now = Clock.now();
    TraceStore store = new TraceStore(StoreLimits.DEFAULT);
    ActorTelemetry shop = Records.actor("pekko://mapped/user/shop", "mapped.Shop");
    for (Records records : List.of(new Records(observer), new Records(store))) {
      records.processed(5, 1, 1, 0, now, now, 80, cart, null, null);
      records.processed(5, 2, 2, 0, now, now, 90, cart, shop, null);
    }
    MessageMap map = observer.map(new MapQuery(60, List.of(), Set.of(), 10), Scan.unbounded());
    StringWriter text = new StringWriter();
    MapJson.writeTo(new Json(text), map, 1, store, List.of());
    Map<Object, Map<String, Object>> nodes = new HashMap<>();
    for (Object one : array(object(JsonReader.read(text.toString())).get("nodes"))) {
      nodes.put(Objects.requireNonNull(object(one).get("key")), object(one));
    }
    Map<String, Object> box = Objects.requireNonNull(nodes.get("class:mapped.Cart"));
    assertThat(object(box.get("slowest"))).containsEntry("spanId", "0".repeat(15) + "2");
    assertThat(Objects.requireNonNull(nodes.get("class:mapped.Shop")))
        .containsEntry("slowest", null);
  }

  private static @Nullable Object slowest(MessageMap map, TraceStore store) throws IOException {
    StringWriter text = new StringWriter();
    MapJson.writeTo(new Json(text), map, 1, store, List.of());
    return object(array(object(JsonReader.read(text.toString())).get("edges")).get(0))
        .get("slowest");
  }

  @Test
  void requests_thatCannotBeAnswered_sayWhy() throws Exception {
    assertThat(String.valueOf(get(observer, 400, "/api/v1/map?seconds=0").get("error")))
        .contains("seconds=0: must be a whole number in [1, 3600]");
    assertThat(String.valueOf(get(null, 404, "/api/v1/map").get("error")))
        .contains("deimos.observer.memory=0");
  }
}
