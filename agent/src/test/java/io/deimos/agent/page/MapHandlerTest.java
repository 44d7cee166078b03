// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.page.JsonReader.array;
import static io.deimos.agent.page.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.observer.Observer;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import java.util.List;
import java.util.Map;
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
  void requests_thatCannotBeAnswered_sayWhy() throws Exception {
    assertThat(String.valueOf(get(observer, 400, "/api/v1/map?seconds=0").get("error")))
        .contains("seconds=0: must be a whole number in [1, 3600]");
    assertThat(String.valueOf(get(null, 404, "/api/v1/map").get("error")))
        .contains("deimos.observer.memory=0");
  }
}
