// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** With the real agent in this JVM, as a user's tests are run. */
@ExtendWith(DeimosExtension.class)
class TelemetryTest {
  private static final String PLACED =
      """
      process Place at /user/orders
        process Charge at /user/payments
      """;

  private static Shop shop;

  @BeforeAll
  static void open() {
    shop = new Shop("kit");
  }

  @AfterAll
  static void close() {
    shop.close();
  }

  @Test
  void message_producedThisTraceAndTheseMetrics(Telemetry telemetry) {
    telemetry.ofSystem("kit");
    shop.place(1);
    RecordedTrace trace = telemetry.assertTrace(PLACED);
    RecordedSpan charge = trace.span("process Charge");
    assertThat(charge.kind()).isEqualTo("CONSUMER");
    assertThat(charge.attribute("pekko.actor.class")).isEqualTo(Shop.Payments.class.getName());
    assertThat(charge.event("message")).isNotNull();
    assertThat(charge.parentSpanId()).isEqualTo(trace.span("process Place").spanId());
    telemetry.assertMetric(
        "pekko.message.processed",
        Map.of("pekko.system", "kit", "pekko.message.class", Shop.Charge.class.getName()),
        1);
    telemetry.assertMetric(
        "pekko.message.process.duration",
        Map.of("pekko.system", "kit", "pekko.message.class", Shop.Place.class.getName()),
        1);
  }

  @Test
  void recording_seesNothingOfWhatWasBefore(Telemetry telemetry) {
    telemetry.ofSystem("kit");
    telemetry.assertNoTraces();
    shop.place(1);
    shop.place(2);
    telemetry.awaitTrace("both", t -> telemetry.traces().size() == 2 && t.spans().size() == 2);
    assertThat(telemetry.traces()).extracting(RecordedTrace::tree).containsOnly(PLACED);
  }

  @Test
  void failure_isInTheTree(Telemetry telemetry) {
    try (Shop broken = new Shop("broken")) {
      telemetry.ofSystem("broken");
      broken.place(-1);
      RecordedTrace trace =
          telemetry.assertTrace(
              """
              process Place at /user/orders
                process Charge at /user/payments ! java.lang.IllegalArgumentException
              """);
      RecordedSpan charge = trace.span("process Charge");
      assertThat(charge.status()).isEqualTo("ERROR");
      assertThat(charge.statusMessage()).isEqualTo("cannot charge -1");
      telemetry.assertMetric("pekko.actor.failed", Map.of("pekko.system", "broken"), 1);
    }
  }

  @Test
  void assertTrace_ofWhatDidNotHappen_showsWhatDid(Telemetry telemetry) {
    telemetry.ofSystem("kit").withPatience(Duration.ofMillis(200));
    shop.place(1);
    telemetry.awaitTraceWith("process Charge");
    assertThatThrownBy(() -> telemetry.assertTrace("process Cancel at /user/orders"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("process Cancel at /user/orders")
        .hasMessageContaining(PLACED);
    assertThatThrownBy(telemetry::assertNoTraces).hasMessageContaining(PLACED);
    assertThatThrownBy(() -> telemetry.awaitTraceWith("process Charge").span("process Cancel"))
        .hasMessageContaining("0 spans 'process Cancel'");
  }

  @Test
  void assertMetric_counterHasGrownByMore_failsWithoutPatience(Telemetry telemetry) {
    telemetry.withPatience(Duration.ofDays(1));
    Map<String, String> charges = Map.of("pekko.message.class", Shop.Charge.class.getName());
    shop.place(1);
    shop.place(2);
    telemetry.assertMetric("pekko.message.processed", charges, 2);
    assertThatThrownBy(() -> telemetry.assertMetric("pekko.message.processed", charges, 1))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("has grown by 2.0, not by 1.0");
    assertThatThrownBy(() -> telemetry.assertMetric("pekko.message.process.duration", charges, 1))
        .hasMessageContaining("has grown by 2.0, not by 1.0");
  }

  @Test
  void assertMetric_ofWhatDidNotHappen_showsWhatDid(Telemetry telemetry) {
    telemetry.withPatience(Duration.ofMillis(200));
    shop.place(1);
    telemetry.assertMetric(
        "pekko.message.processed", Map.of("pekko.message.class", Shop.Charge.class.getName()), 1);
    assertThatThrownBy(
            () ->
                telemetry.assertMetric(
                    "pekko.message.processed",
                    Map.of("pekko.message.class", Shop.Charge.class.getName()),
                    2))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("has grown by 1.0, not by 2.0")
        .hasMessageContaining(Shop.Place.class.getName());
    assertThatThrownBy(() -> telemetry.assertMetric("no.such", Map.of(), 1))
        .hasMessageContaining("there is no such metric")
        .hasMessageContaining("pekko.message.processed");
  }

  @Test
  void patience_ofNothing_isRefused(Telemetry telemetry) {
    assertThatThrownBy(() -> telemetry.withPatience(Duration.ZERO))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PT0S");
  }
}
