// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AppResultTest {
  private static final List<String> NUMBERS =
      List.of(
          "open_s",
          "open_cpu_s",
          "load_cpu_percent",
          "idle_cpu_percent",
          "idle_wakeups_s",
          "load_wakeups_s",
          "rss_mb",
          "live_mb",
          "order_p50_ms",
          "order_p99_ms",
          "orders_failed",
          "alloc_mb_s",
          "collections_min");

  private final AppResult result =
      new AppResult(
          new LinkedHashMap<>(
              Map.of(
                  "otel", List.of(round(10, 1.0), round(30, 2.0), round(20, 3.0)),
                  "default", List.of(round(15, 4.0), round(55, 6.0), round(25, 5.0)))));

  @Test
  void modes_areMedians_minimaTheLeast() {
    assertThat(number(result.modes(), "otel", "load_cpu_percent")).isEqualTo(20);
    assertThat(number(result.minima(), "otel", "load_cpu_percent")).isEqualTo(10);
    assertThat(number(result.modes(), "default", "rss_mb")).isEqualTo(25);
  }

  @Test
  void above_isTheDifferenceOfMedians_andLeavesTheBaseOut() {
    Map<String, Object> above = result.above("otel");
    assertThat(above).containsOnlyKeys("default");
    assertThat(number(above, "default", "idle_cpu_percent")).isEqualTo(5);
    assertThat(result.above("none")).isEmpty();
  }

  @Test
  void threads_aGroupMissingInARound_countsAsNothing() {
    Map<String, Object> load = Samples.object(Samples.object(result.threads(), "default"), "load");
    assertThat(load).containsEntry("actors", 5.0).containsEntry("deimos-drainer", 0.0);
  }

  @Test
  void tables_haveALineForEachMode() {
    assertThat(result.table()).contains("otel", "default");
    assertThat(result.threadTable("load")).contains("deimos-drainer", "actors");
  }

  private static Map<String, Object> round(double value, double actors) {
    Map<String, Object> round = new LinkedHashMap<>();
    NUMBERS.forEach(name -> round.put(name, value));
    Map<String, Object> threads =
        value == 55 ? Map.of("actors", actors, "deimos-drainer", 1.5) : Map.of("actors", actors);
    round.put("load_threads", threads);
    round.put("idle_threads", Map.of("actors", 0.1));
    return round;
  }

  private static double number(Map<String, Object> modes, String mode, String key) {
    return Samples.number(Samples.object(modes, mode), key);
  }
}
