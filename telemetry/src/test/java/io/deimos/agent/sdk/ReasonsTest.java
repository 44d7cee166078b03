// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.sdk;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ReasonsTest {
  @Test
  void of_exceptionWithCauses_isWhatEachSays() {
    Throwable inner = new IllegalArgumentException("there is no such file");
    Throwable outer = new IllegalStateException("the exporter", new RuntimeException(inner));
    assertThat(Reasons.of(outer)).isEqualTo("the exporter: there is no such file");
  }

  @Test
  void of_exceptionsThatSaySame_isItOnce() {
    Throwable outer = new IllegalStateException("no", new IllegalArgumentException("no"));
    assertThat(Reasons.of(outer)).isEqualTo("no");
  }

  @Test
  void of_exceptionWithoutWords_isItsClass() {
    assertThat(Reasons.of(new NullPointerException())).isEqualTo("java.lang.NullPointerException");
  }

  @Test
  void of_longReason_leavesRoomForTheWayOut() {
    assertThat(Reasons.of(new IllegalStateException("\n".repeat(5_000)))).hasSizeLessThan(900);
  }

  @Test
  void culprit_valueOfAProperty_isItsKey() {
    assertThat(culprit(Map.of("otel.exporter.otlp.certificate", "no-such.pem"), Map.of()))
        .isEqualTo("otel.exporter.otlp.certificate");
  }

  @Test
  void culprit_valueOfAVariable_isKeyAndVariable() {
    assertThat(culprit(Map.of(), Map.of("OTEL_EXPORTER_OTLP_CERTIFICATE", "no-such.pem")))
        .isEqualTo("otel.exporter.otlp.certificate (OTEL_EXPORTER_OTLP_CERTIFICATE)");
  }

  @Test
  void culprit_propertyAndVariable_isWhatHolds() {
    assertThat(
            culprit(
                Map.of("otel.exporter.otlp.certificate", "no-such.pem"),
                Map.of("OTEL_EXPORTER_OTLP_CERTIFICATE", "other.pem")))
        .isEqualTo("otel.exporter.otlp.certificate");
  }

  @Test
  void culprit_severalOfOneValue_areAllNamed() {
    assertThat(
            culprit(
                Map.of(
                    "otel.exporter.otlp.logs.certificate",
                    "no-such.pem",
                    "otel.exporter.otlp.traces.certificate",
                    "no-such.pem"),
                Map.of()))
        .isEqualTo("otel.exporter.otlp.logs.certificate or otel.exporter.otlp.traces.certificate");
  }

  @Test
  void culprit_partsOfWordsAndOtherSettings_areNone() {
    assertThat(
            culprit(
                Map.of(
                    "otel.service.name", "such.pe",
                    "otel.bsp.max.queue.size", "1",
                    "user.file", "no-such.pem"),
                Map.of("FILE", "no-such.pem")))
        .isEqualTo("what it names");
  }

  private static String culprit(Map<String, String> properties, Map<String, String> environment) {
    Throwable failure =
        new IllegalArgumentException("Invalid OTLP certificate/key path: no-such.pem");
    return Reasons.culprit(
        new IllegalStateException("no exporter", failure), properties, environment);
  }
}
