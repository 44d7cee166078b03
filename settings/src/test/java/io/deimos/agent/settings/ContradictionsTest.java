// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.util.List;
import org.junit.jupiter.api.Test;

class ContradictionsTest {
  private static List<String> in(String hocon) {
    return Contradictions.in(
        new SettingsReader(
                List.of(Layer.ofConfig(ConfigFactory.parseString(hocon), "test")),
                problem -> {
                  throw new AssertionError(problem);
                })
            .read());
  }

  @Test
  void defaults_haveNone() {
    assertThat(in("")).isEmpty();
  }

  @Test
  void sameType_neverAndAlways_isNamedOnce() {
    assertThat(in("deimos.messages { never = [a, b], always = [b] }"))
        .containsExactly(
            "deimos.messages.never and deimos.messages.always both name b; they get none, since"
                + " never goes before. Take it out of one of them");
    assertThat(in("deimos.messages { never = [a], only = [a] }")).hasSize(1);
    assertThat(in("deimos.actor-classes { never = [a], always = [a] }")).hasSize(1);
  }

  @Test
  void tail_withoutTracing_isNamedWithTheWayOut() {
    assertThat(in("deimos.tracing { enabled = off, tail.enabled = on }"))
        .containsExactly(
            "deimos.tracing.tail.enabled=true has no effect with deimos.tracing.enabled=false, since"
                + " there are no traces to choose from; switch that on, or take this away");
  }

  @Test
  void tail_thatCannotSeeDeadLetters_isNamed() {
    assertThat(in("deimos { forensics.enabled = off, tracing.tail.enabled = on }")).hasSize(1);
    assertThat(in("deimos.tracing.tail { enabled = on }")).isEmpty();
  }

  @Test
  void content_withoutMessages_isNamed() {
    assertThat(in("deimos.content { redactor = a.B }"))
        .containsExactly(
            "deimos.content.redactor=a.B has no effect without deimos.content.messages, since of no"
                + " message the content is recorded; set that, or take this away");
    assertThat(in("deimos.content { messages = [a], eager = [a] }")).hasSize(1);
    assertThat(in("deimos { tracing.enabled = off, content.messages = [a] }")).hasSize(1);
    assertThat(in("deimos.content { messages = [a], late = on, eager = [a] }")).isEmpty();
    assertThat(in("deimos.content { state = [a], redactor = a.B }")).isEmpty();
  }

  @Test
  void samplingByMessage_whereNoneBegins_isNamed() {
    assertThat(
            in(
                "deimos { tracing.start-traces = only-inside-existing, sampling.messages { a = 0.1 }"
                    + " }"))
        .hasSize(1);
  }

  @Test
  void prometheus_askedForWithoutThePage_isNamed() {
    assertThat(in("deimos { page.enabled = off, metrics.prometheus.enabled = on }")).hasSize(1);
    assertThat(in("deimos { page.enabled = off }")).isEmpty();
  }

  @Test
  void off_nothingContradicts() {
    assertThat(in("deimos { enabled = off, messages { never = [a], always = [a] } }")).isEmpty();
  }
}
