// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.page;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.budget.Accountant;
import io.deimos.agent.budget.Accountant.Kind;
import io.deimos.agent.http.Request;
import io.deimos.agent.http.SentAnswer;
import io.deimos.agent.observer.Observer;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Records;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Several who ask for different things share what may be searched. */
class SearchesTest implements QuietSource {
  private static final int RECORDS = 50_000;
  private static final int ACTORS = 5_000;
  private static final int MAX_ASKED = 3_000;

  /** So little that no time pays during the test. */
  private final Accountant accountant = Accountant.ofHeap(0.001, Long.MAX_VALUE);

  private final Observer observer = new Observer(16 << 20);

  @Override
  public Accountant accountant() {
    return accountant;
  }

  @Override
  public Observer observer() {
    return observer;
  }

  private static String ask(PageHandler handler, String path) throws Exception {
    Request request = Request.parse("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1:1");
    byte[] bytes = SentAnswer.bytes(handler.handle(request));
    return new String(bytes, StandardCharsets.UTF_8);
  }

  private void work() {
    Records records = new Records(observer);
    for (int i = 0; i < ACTORS; i++) {
      ActorTelemetry actor = Records.actor("pekko://tabs/user/a-" + i, "tabs.A");
      actor.started();
      long now = Clock.now();
      for (int j = 0; j < RECORDS / ACTORS; j++) {
        records.processed(1, 2, 3L + i, 0, now, now, 10, actor, null, null);
      }
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"/api/v1/map?q=", "/api/v1/actors?q=", "/api/v1/where?q="})
  void tabs_withDifferentFilters_takeOneBudgetAndKeepTheirLastAnswers(String path)
      throws Exception {
    work();
    PageHandler handler = Asked.handler(this);
    String first = ask(handler, path + "tab-0");
    assertThat(first).startsWith("HTTP/1.1 200");
    String answer = first;
    int asked = 1;
    for (; asked < MAX_ASKED && answer.startsWith("HTTP/1.1 200"); asked++) {
      answer = ask(handler, path + "tab-" + asked);
    }
    assertThat(answer).startsWith("HTTP/1.1 503").contains("Retry-After: ", "deimos.observer.cpu");
    Accountant.Taken taken = accountant.taken(Kind.SEARCHES);
    assertThat(taken.refused()).isEqualTo(1);
    assertThat(taken.nanos()).isLessThan(2_000_000_000L);
    String last = ask(handler, path + "tab-" + (asked - 2));
    assertThat(last).startsWith("HTTP/1.1 200").contains("X-Deimos-Age-Millis: ");
    assertThat(ask(handler, "/api/v1/system")).startsWith("HTTP/1.1 200");
  }

  @Test
  void actor_ofWhomMuchIsKnown_takesOfTheSameBudget() throws Exception {
    work();
    PageHandler handler = Asked.handler(this);
    String answer = ask(handler, "/api/v1/map");
    for (int i = 0; i < MAX_ASKED && answer.startsWith("HTTP/1.1 200"); i++) {
      answer = ask(handler, "/api/v1/map?q=" + i);
    }
    assertThat(ask(handler, "/api/v1/actors/pekko%3A%2F%2Ftabs%2Fuser%2Fa-1"))
        .startsWith("HTTP/1.1 503");
  }
}
