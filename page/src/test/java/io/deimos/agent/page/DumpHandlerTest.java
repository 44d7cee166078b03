// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.http.Request;
import io.deimos.agent.http.SentAnswer;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.settings.PageAccessMode;
import io.deimos.agent.settings.PageControl;
import io.deimos.agent.source.PageAccess;
import io.deimos.agent.store.StoreLimits;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.spans.Rare;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

class DumpHandlerTest {
  private static final PageAccess OPEN =
      new PageAccess(PageAccessMode.OPEN, PageControl.TOKEN, PageAccessMode.OPEN, "t");

  private final Observer observer = new Observer(4 << 20);
  private final TraceStore store = new TraceStore(StoreLimits.DEFAULT);

  private byte[] ask(PageAccess access, String token) throws Exception {
    PageHandler handler =
        Asked.handler(
            1, access, new Asked(observer, List.of()), store, Accountant.ofHeap(1, Long.MAX_VALUE));
    Request request =
        Request.parse("GET /api/v1/dump HTTP/1.1\r\nHost: 127.0.0.1:1\r\nX-Deimos-Token: " + token);
    byte[] bytes = SentAnswer.bytes(handler.handle(request));
    return bytes;
  }

  @Test
  void dump_withTheToken_hasAllAnswersPacked() throws Exception {
    long now = Clock.now();
    new Records(observer)
        .processed(
            1,
            2,
            3,
            0,
            now,
            now,
            1,
            Records.actor("pekko://dump/user/a", "test.dump.A"),
            null,
            new Rare(new IllegalStateException("no"), null, null, null));
    byte[] answer = ask(OPEN, "t");
    assertThat(head(answer))
        .startsWith("HTTP/1.1 200")
        .contains("Content-Type: application/gzip", "attachment; filename=")
        .doesNotContain("Content-Encoding");
    Map<String, Object> dump = unpacked(answer);
    assertThat(dump).containsEntry("deimosDump", 1L);
    assertThat(object(dump.get("answers")))
        .containsKeys(
            "/api/state",
            "/api/history",
            "/api/faults",
            "/api/v1/actors",
            "/api/v1/check",
            "/api/v1/trouble",
            "/api/v1/trouble/1",
            "/api/v1/threads",
            "/api/traces");
  }

  private static String head(byte[] answer) {
    return new String(answer, StandardCharsets.ISO_8859_1);
  }

  private static Map<String, Object> unpacked(byte[] answer) throws IOException {
    int at = head(answer).indexOf("\r\n\r\n") + 4;
    byte[] text =
        new GZIPInputStream(new ByteArrayInputStream(answer, at, answer.length - at))
            .readAllBytes();
    return object(JsonReader.read(new String(text, StandardCharsets.UTF_8)));
  }

  /** As in two actor systems of one name. */
  @Test
  void dump_twoActorsWithOnePath_hasBoth() throws Exception {
    String path = "pekko://dump-twins/user/a";
    ActorTelemetry[] twins = {
      Records.actor(path, "test.dump.Twin"), Records.actor(path, "test.dump.Twin")
    };
    try {
      for (ActorTelemetry twin : twins) {
        twin.started();
      }
      Map<String, Object> answers = object(unpacked(ask(OPEN, "t")).get("answers"));
      assertThat(Stream.of(path, twins[0].id(), twins[1].id()))
          .as("one by the path, the other by its number")
          .extracting(id -> answers.get("/api/v1/actors/" + id))
          .filteredOn(Objects::nonNull)
          .extracting(one -> object(one).get("id"))
          .containsExactlyInAnyOrder((long) twins[0].id(), (long) twins[1].id());
    } finally {
      for (ActorTelemetry twin : twins) {
        twin.stopped();
      }
    }
  }

  @Test
  void dump_withoutTheToken_isRefused() throws Exception {
    assertThat(new String(ask(OPEN, "wrong"), StandardCharsets.ISO_8859_1))
        .startsWith("HTTP/1.1 403")
        .contains("X-Deimos-Token");
    PageAccess none =
        new PageAccess(PageAccessMode.OPEN, PageControl.OFF, PageAccessMode.OPEN, "t");
    assertThat(new String(ask(none, "wrong"), StandardCharsets.ISO_8859_1))
        .startsWith("HTTP/1.1 403")
        .contains("deimos.page.control=off");
  }
}
