// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class StartResultTest {
  private final StartResult result =
      new StartResult(
          new LinkedHashMap<>(
              Map.of(
                  "none", List.of(round(1), round(3), round(2)),
                  "lean", List.of(round(9), round(5), round(40)))));

  private static Map<String, Object> round(double value) {
    Map<String, Object> round = new LinkedHashMap<>();
    for (String key :
        List.of(
            "open_s",
            "open_cpu_s",
            "settled_cpu_s",
            "classes",
            "rss_mb",
            "rss_touched_mb",
            "live_mb")) {
      round.put(key, value);
    }
    round.put("cpu_s", value == 5 ? Map.of("deimos-start", 0.5) : Map.of("compilers", value));
    round.put("native_mb", Map.of("Code", value));
    return round;
  }

  @Test
  void medians_minimaAndSpreads_areOfTheRounds() {
    assertThat(number(result.medians(), "lean", "open_s")).isEqualTo(9);
    assertThat(number(result.minima(), "lean", "classes")).isEqualTo(5);
    assertThat(number(result.spreads(), "none", "rss_mb")).isEqualTo(1);
  }

  @Test
  void above_isTheDifferenceOfMedians_andLeavesTheBaseOut() {
    Map<String, Object> above = result.above("none");
    assertThat(above).containsOnlyKeys("lean");
    assertThat(number(above, "lean", "open_cpu_s")).isEqualTo(7);
    assertThat(result.above("otel")).isEmpty();
  }

  @Test
  void parts_aNameMissingInARound_countsAsNothing() {
    Map<String, Object> cpu = Samples.object(result.parts("cpu_s"), "lean");
    assertThat(cpu).containsEntry("compilers", 9.0).containsEntry("deimos-start", 0.0);
  }

  @Test
  void tables_haveALineOrAColumnForEachMode() {
    assertThat(result.table()).contains("none", "lean", "9.00 (5.00)");
    assertThat(result.partsTable("native_mb", "MB", 1)).contains("none", "lean", "Code");
  }

  @Test
  void classes_ofTheJdksArchiveAndOthers_areAdded() {
    String counters =
        """
        java.cls.loadedClasses=3
        java.cls.sharedLoadedClasses=40
        java.cls.unloadedClasses=500
        """;
    assertThat(StartRun.classes(counters)).isEqualTo(43);
  }

  private static double number(Map<String, Object> modes, String mode, String key) {
    return Samples.number(Samples.object(modes, mode), key);
  }
}
