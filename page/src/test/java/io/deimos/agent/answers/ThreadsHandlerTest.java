// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.json.JsonReader;
import io.deimos.agent.page.Asked;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.ring.Records;
import io.deimos.recorder.trace.Trace;
import io.deimos.recorder.woven.EnvelopeFields;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThreadsHandlerTest {
  private final ActorTelemetry actor =
      Records.actor("pekko://threads/user/busy", "test.threads.Busy");

  private static Map<String, Object> get(int status, String path) throws Exception {
    return new Asked(null, List.of()).get(status, path);
  }

  @Test
  void table_threadThatProcessesAMessage_saysWhichAndWhere() throws Exception {
    Frame at = Hooks.begin(actor, new Envelope(), "message", null, null);
    try {
      Map<String, Object> table = get(200, "/api/v1/threads?busy=true&q=threads+busy");
      Map<String, Object> pool =
          array(table.get("dispatchers")).stream()
              .map(JsonReader::object)
              .filter(p -> p.get("name") == null)
              .findFirst()
              .orElseThrow();
      Map<String, Object> thread = object(array(pool.get("threads")).get(0));
      assertThat(thread).containsEntry("name", Thread.currentThread().getName());
      assertThat(object(thread.get("work")))
          .containsEntry("actorPath", "pekko://threads/user/busy")
          .containsEntry("actorClass", "test.threads.Busy")
          .containsEntry("messageClass", "java.lang.String")
          .hasEntrySatisfying("forNanos", nanos -> assertThat((Long) nanos).isNotNegative());
      Map<String, Object> stack =
          get(200, "/api/v1/threads/" + Objects.requireNonNull(thread.get("id")));
      assertThat(String.valueOf(array(stack.get("frames")))).contains("ThreadsHandlerTest.table_");

      assertThat(array(get(200, "/api/v1/threads?busy=true&q=nobody").get("dispatchers")))
          .allSatisfy(other -> assertThat(array(object(other).get("threads"))).isEmpty());
    } finally {
      Hooks.end(at);
    }
  }

  @Test
  void stack_ofNoSuchThread_saysSo() throws Exception {
    assertThat(String.valueOf(get(404, "/api/v1/threads/999999999").get("error")))
        .contains("no such thread of a dispatcher: 999999999");
    assertThat(String.valueOf(get(404, "/api/v1/threads/main").get("error"))).contains("main");
    assertThat(String.valueOf(get(400, "/api/v1/threads?limit=0").get("error")))
        .contains("[1, 1000]");
  }

  /** A message that was sent from nowhere. */
  @SuppressWarnings("MemberName") // as the weaver names them
  private static final class Envelope implements EnvelopeFields {
    @Override
    public @Nullable Trace deimos$trace() {
      return null;
    }

    @Override
    public long deimos$parent() {
      return 0;
    }

    @Override
    public long deimos$sent() {
      return 0;
    }

    @Override
    public void deimos$sent(@Nullable Trace trace, long parent, long sent) {}
  }
}
