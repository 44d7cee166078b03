// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.answers;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.page.Asked;
import io.deimos.agent.profile.FakeSource;
import io.deimos.agent.profile.Profile;
import io.deimos.recorder.housekeeping.Drainer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ProfileHandlerTest {
  private final Drainer drainer = new Drainer(span -> {});
  private final FakeSource source = new FakeSource(null);
  private final Profile profile = source.profile(problem -> {}, 600);
  private final Asked asked = new Asked(null, List.of(), profile);

  @BeforeEach
  void start() {
    drainer.start();
  }

  @AfterEach
  void stop() {
    drainer.close();
  }

  @Test
  void profile_ofSamples_hasRowsTreeAndFiles() throws Exception {
    assertThat(asked.get(200, "/api/v1/profile"))
        .containsEntry("state", "starting")
        .containsEntry("samples", 0L)
        .containsEntry("event", null);
    assertThat(source.awaitOpened()).isTrue();
    source.sample("app.Deep.work", "app.Main run;1", "java.lang.Thread.run");
    source.sample("app.Main run;1", "java.lang.Thread.run");
    Map<String, Object> answer = joined();
    assertThat(answer).containsEntry("state", "on").containsEntry("event", "test.Sample");
    assertThat(object(array(answer.get("rows")).get(0)))
        .containsEntry("kind", "other")
        .containsEntry("messageClass", null)
        .containsEntry("share", 1.0);
    Map<String, Object> tree = object(answer.get("tree"));
    assertThat(array(tree.get("frames")))
        .containsExactly("java.lang.Thread.run", "app.Main run;1", "app.Deep.work");
    assertThat(array(tree.get("parent"))).containsExactly(-1L, 0L, 1L, 2L);

    assertThat(asked.text(200, "/api/v1/profile?kind=other&format=collapsed").lines())
        .containsExactlyInAnyOrder(
            "java.lang.Thread.run;app.Main_run:1;app.Deep.work 1",
            "java.lang.Thread.run;app.Main_run:1 1");
    Map<String, Object> speedscope = asked.get(200, "/api/v1/profile?kind=other&format=speedscope");
    assertThat(String.valueOf(speedscope.get("$schema"))).contains("speedscope");
    Map<String, Object> made = object(array(speedscope.get("profiles")).get(0));
    assertThat(made).containsEntry("type", "sampled");
    assertThat(array(made.get("samples"))).hasSameSizeAs(array(made.get("weights"))).hasSize(2);
  }

  /** The profile's thread joins once a second. */
  private Map<String, Object> joined() throws Exception {
    long until = System.nanoTime() + 60_000_000_000L;
    while (true) {
      Map<String, Object> answer = asked.get(200, "/api/v1/profile?kind=other&seconds=600");
      if (Long.valueOf(2).equals(answer.get("samples")) || System.nanoTime() > until) {
        return answer;
      }
      LockSupport.parkNanos(20_000_000);
    }
  }

  @Test
  void state_saysWhetherAProfileIsMade_andStartsNone() throws Exception {
    assertThat(asked.get(200, "/api/state")).containsEntry("profiling", false);
    assertThat(profile.isOn()).isFalse();
    asked.get(200, "/api/v1/profile");
    assertThat(asked.get(200, "/api/state")).containsEntry("profiling", true);
  }

  @Test
  void requests_thatCannotBeAnswered_sayWhy() throws Exception {
    assertThat(String.valueOf(asked.get(400, "/api/v1/profile?format=svg").get("error")))
        .contains("format=svg: must be json, collapsed, speedscope or pprof");
    assertThat(String.valueOf(asked.get(400, "/api/v1/profile?kind=idle").get("error")))
        .contains("kind=idle: must be one of message, pekko, unrecorded, dispatcher, other");
    assertThat(String.valueOf(asked.get(400, "/api/v1/profile?span=17").get("error")))
        .contains("span=17: must be the id of a span");
    assertThat(String.valueOf(asked.get(400, "/api/v1/profile?seconds=0").get("error")))
        .contains("[1, 600]");
    assertThat(String.valueOf(new Asked(null, List.of()).get(404, "/api/v1/profile").get("error")))
        .contains("there is no profile");
    drainer.close();
    assertThat(String.valueOf(asked.get(404, "/api/v1/profile").get("error")))
        .contains("deimos.tracing.enabled is off");
  }
}
