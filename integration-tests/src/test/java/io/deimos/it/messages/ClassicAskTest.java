// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ReceivedSpan;
import io.deimos.it.harness.ScenarioRun;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A question has a span of its own, from question to answer, with what was asked inside. */
@Tag("quick")
@OnEachJdk
class ClassicAskTest {
  private final ScenarioRun run;

  ClassicAskTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void ask_answered_spanLastsUntilTheAnswer() {
    ReceivedSpan ask = run.only("classic-ask", "ask Ping");
    ReceivedSpan answered = run.only("classic-ask", "process Ping");
    assertThat(ask.startNanos()).isLessThanOrEqualTo(answered.startNanos());
    assertThat(ask.endNanos()).isGreaterThanOrEqualTo(answered.event("message").atNanos());
    assertThat(ask.status()).isEqualTo(StatusCode.STATUS_CODE_UNSET);
  }

  @Test
  void ask_timedOut_isAnError() {
    ReceivedSpan ask = run.only("classic-ask-timeout", "ask Ping");
    assertThat(ask.endNanos() - ask.startNanos()).isGreaterThan(50_000_000);
  }

  @Test
  void ask_failed_isAnError() {
    assertThat(run.only("classic-ask-failure", "ask Boom").statusMessage()).isEqualTo("no");
  }
}
