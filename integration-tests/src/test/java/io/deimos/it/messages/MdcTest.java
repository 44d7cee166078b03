// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.AgentJvm;
import io.deimos.it.harness.Jdk;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The MDC of what typed actors log, in a fresh JVM each time: whatever makes spans, Pekko's keys
 * and the user's are those of a run without the agent. The OpenTelemetry agent's instrumentation of
 * Logback adds its three keys to events that are logged within a span, and to nothing else.
 */
class MdcTest {
  private static final String OURS =
      "span_id=[0-9a-f]{16}, trace_flags=0[0-3], trace_id=[0-9a-f]{32}";

  private static List<String> without = List.of();

  @BeforeAll
  static void runWithoutTheAgent() {
    without = logged("mdc-none", b -> b);
    assertThat(without).hasSize(18);
    assertThat(without)
        .filteredOn(l -> l.startsWith("@mdc got 3 thread "))
        .hasSize(2)
        .allMatch(l -> l.contains("customer=c-7, order=o-3, pekkoAddress="))
        .anyMatch(l -> l.contains("pekkoSource=pekko://mdc/user/user"))
        .anyMatch(l -> l.contains("pekkoSource=pekko://mdc/system/scenario-mdc"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "deimos.tracing.system-actors",
        "deimos.tracing.lifecycle",
        "deimos.tracing.system-actors,deimos.tracing.lifecycle"
      })
  void mdc_whateverHasSpans_losesNothingAndGainsThreeKeys(String on) {
    List<String> with = logged("mdc-" + on.hashCode(), b -> with(b, on, true));
    assertThat(with.stream().map(MdcTest::withoutOurs)).isEqualTo(without);
    assertThat(with).filteredOn(l -> l.contains(" thread ")).noneMatch(l -> l.contains("trace_id"));
    assertThat(with)
        .filteredOn(l -> l.startsWith("@mdc outside event "))
        .noneMatch(l -> l.contains("trace_id"));
    assertThat(with)
        .filteredOn(l -> l.startsWith("@mdc got ") && l.contains(" event "))
        .filteredOn(l -> on.contains("system-actors") || !l.contains("/system/"))
        .allMatch(l -> l.contains("trace_id"));
  }

  @Test
  void mdc_instrumentationOff_isThatOfARunWithoutTheAgent() {
    String all = "deimos.tracing.system-actors,deimos.tracing.lifecycle";
    assertThat(logged("mdc-off", b -> with(b, all, false))).isEqualTo(without);
  }

  private static AgentJvm.Builder with(AgentJvm.Builder builder, String on, boolean keys) {
    AgentJvm.Builder made =
        builder
            .deimos()
            .property("otel.traces.exporter", "none")
            .property("otel.metrics.exporter", "none")
            .property("otel.instrumentation.logback-mdc.enabled", Boolean.toString(keys));
    for (String key : on.split(",", -1)) {
      made = made.property(key, "true");
    }
    return made;
  }

  private static String withoutOurs(String line) {
    return line.replaceFirst(OURS + ", ", "").replaceFirst("(, )?" + OURS, "");
  }

  private static List<String> logged(String name, UnaryOperator<AgentJvm.Builder> how) {
    try (AgentJvm jvm = how.apply(AgentJvm.on(Jdk.own())).start(name)) {
      jvm.tell("run mdc").tell("end");
      assertThat(jvm.awaitExit()).as(jvm.transcript()).isZero();
      return jvm.out().stream().filter(l -> l.startsWith("@mdc ")).toList();
    }
  }
}
