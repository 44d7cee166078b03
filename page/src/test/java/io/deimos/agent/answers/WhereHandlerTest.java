// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.observer.Observer;
import io.deimos.agent.page.Asked;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WhereHandlerTest {
  private final Observer observer = new Observer(4 << 20);
  private final ActorTelemetry cart = Records.actor("pekko://found/user/cart", "found.Cart");

  private static Map<String, Object> get(@Nullable Observer from, int status, String path)
      throws Exception {
    return new Asked(from, List.of()).get(status, path);
  }

  @Test
  void where_ofAMessage_saysWhatBecameOfIt() throws Exception {
    long now = Clock.now();
    new Records(observer).processed(5, 6, 7, 0, now - 2_000_000, now, 9, cart, null, null);
    Map<String, Object> answer = get(observer, 200, "/api/v1/where?q=actor%3Afound%2Fuser&limit=5");
    assertThat(answer).containsEntry("total", 1L).containsEntry("query", "actor:found/user");
    assertThat(object(answer.get("fates"))).containsEntry("processed", 1L);
    assertThat(object(array(answer.get("matches")).get(0)))
        .containsEntry("fate", "processed")
        .containsEntry("messageClass", "shop.Orders$Place")
        .containsEntry("actorPath", "pekko://found/user/cart")
        .containsEntry("waitNanos", 2_000_000L)
        .containsEntry("processingNanos", 9L)
        .containsEntry("timeoutNanos", null)
        .containsEntry("place", null)
        .containsEntry("content", null)
        .containsEntry("spanId", "0".repeat(15) + "7");
    assertThat(object(answer.get("looked"))).containsEntry("records", 1L);
    assertThat(array(answer.get("notLookedAt"))).isNotEmpty();
  }

  @Test
  void requests_thatCannotBeAnswered_sayWhy() throws Exception {
    assertThat(String.valueOf(get(observer, 400, "/api/v1/where").get("error")))
        .contains("q: say which message: message:CLASS");
    assertThat(String.valueOf(get(observer, 400, "/api/v1/where?q=trace:1").get("error")))
        .contains("32 hexadecimal digits");
    assertThat(String.valueOf(get(observer, 400, "/api/v1/where?q=a&limit=0").get("error")))
        .contains("limit=0: must be a whole number in [1, 200]");
    assertThat(String.valueOf(get(null, 404, "/api/v1/where?q=a").get("error")))
        .contains("deimos.observer.memory=0");
  }

  @Test
  void tap_opened_hasWhatCameAfterIt() throws Exception {
    Map<String, Object> opened =
        get(observer, 200, "/api/v1/tap?class=*Place&to=%2Fuser%2F*&count=1&rate=5&seconds=30");
    assertThat(opened)
        .containsEntry("state", "open")
        .containsEntry("endedBy", null)
        .containsEntry("count", 1L)
        .containsEntry("rate", 5L)
        .containsEntry("seconds", 30L)
        .containsEntry("last", 0L);
    assertThat(array(opened.get("messages"))).isEmpty();
    long now = Clock.now();
    new Records(observer).processed(5, 6, 7, 0, now - 2_000_000, now, 9, cart, null, null);
    Map<String, Object> read = get(observer, 200, "/api/v1/tap/" + opened.get("id") + "?after=0");
    assertThat(read)
        .containsEntry("state", "ended")
        .containsEntry("endedBy", "count")
        .containsEntry("taken", 1L)
        .containsEntry("leftOut", 0L)
        .containsEntry("last", 1L);
    assertThat(object(array(read.get("messages")).get(0)))
        .containsEntry("class", "shop.Orders$Place")
        .containsEntry("actorPath", "pekko://found/user/cart")
        .containsEntry("senderPath", null)
        .containsEntry("error", null)
        .containsEntry("content", null);
  }

  @Test
  void taps_thatCannotBe_sayWhy() throws Exception {
    assertThat(String.valueOf(get(observer, 400, "/api/v1/tap?to=user").get("error")))
        .contains("to=user: a path pattern begins with a slash, as in /user/payments/*");
    assertThat(String.valueOf(get(observer, 400, "/api/v1/tap?count=501").get("error")))
        .contains("[1, 500]");
    assertThat(String.valueOf(get(observer, 404, "/api/v1/tap/12").get("error")))
        .contains("no such tap: 12");
    for (int i = 0; i < Observer.mostTaps(); i++) {
      get(observer, 200, "/api/v1/tap");
    }
    assertThat(String.valueOf(get(observer, 503, "/api/v1/tap").get("error")))
        .contains("4 taps are open");
    assertThat(String.valueOf(get(null, 404, "/api/v1/tap").get("error")))
        .contains("deimos.observer.memory=0");
  }
}
