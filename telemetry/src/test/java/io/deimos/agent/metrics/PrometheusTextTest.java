// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.metrics;

import static io.opentelemetry.api.common.AttributeKey.stringArrayKey;
import static io.opentelemetry.api.common.AttributeKey.stringKey;
import static org.assertj.core.api.Assertions.assertThat;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.metrics.DoubleHistogram;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.sdk.metrics.SdkMeterProvider;
import io.opentelemetry.sdk.resources.Resource;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PrometheusTextTest {
  private static final int CLASSES = 50;

  private final List<String> problems = new ArrayList<>();
  private final PrometheusText text = new PrometheusText(false, problems::add);
  private final SdkMeterProvider provider =
      SdkMeterProvider.builder()
          .setResource(
              Resource.create(
                  Attributes.of(
                      stringKey("process.command_line"),
                      "java -Dotel.exporter.otlp.endpoint=https://user:s3cret@collector",
                      stringArrayKey("process.command_args"),
                      List.of("java", "-Dpassword=s3cret"),
                      stringKey("service.name"),
                      "shop")))
          .registerMetricReader(text.reader())
          .build();

  PrometheusTextTest() {
    Meter meter = provider.get("test");
    ScrapeInstrument.register(meter);
    meter.counterBuilder("orders").build().add(1);
    DoubleHistogram durations = meter.histogramBuilder("durations").build();
    for (int i = 0; i < CLASSES; i++) {
      durations.record(1, Attributes.of(MetricNames.ACTOR_CLASS, "test.Class" + i));
    }
  }

  @AfterEach
  void end() {
    provider.close();
    ScrapeInstrument.leftOut(0);
  }

  private static String written(ScrapedText.Collected collected, long mostLines)
      throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    collected.writeTo(out, null, mostLines);
    return out.toString(StandardCharsets.UTF_8);
  }

  @Test
  void targetInfo_ofAProcessWithSecretsOnItsCommandLine_hasNoCommandLine() throws IOException {
    assertThat(written(text.collect(), Long.MAX_VALUE))
        .contains("target_info{service_name=\"shop\"")
        .doesNotContain("command", "s3cret");
  }

  @Test
  void lines_areThoseOfSamples() throws IOException {
    ScrapedText.Collected collected = text.collect();
    long samples =
        written(collected, Long.MAX_VALUE).lines().filter(line -> !line.startsWith("#")).count();
    assertThat(collected.lines()).isEqualTo(samples).isGreaterThan(10 * CLASSES);
    assertThat(problems).isEmpty();
  }

  @Test
  void writeTo_ofFewerLines_leavesTheLongestMetricOutAndSaysSo() throws IOException {
    ScrapedText.Collected collected = text.collect();
    assertThat(written(collected, collected.lines() / 2))
        .contains("orders_total")
        .doesNotContain("durations");
    assertThat(problems)
        .singleElement()
        .asString()
        .contains("durations", "deimos.metrics.max-series");
    assertThat(written(text.collect(), Long.MAX_VALUE))
        .contains("durations")
        .containsPattern("deimos_metric_unscraped_count(_\\w+)?\\{[^}]*} 1\\.0");
    assertThat(written(text.collect(), Long.MAX_VALUE))
        .containsPattern("deimos_metric_unscraped_count(_\\w+)?\\{[^}]*} 0\\.0");
  }
}
