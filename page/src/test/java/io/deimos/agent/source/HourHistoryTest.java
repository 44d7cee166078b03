// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import static io.deimos.agent.json.JsonReader.array;
import static io.deimos.agent.json.JsonReader.object;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.json.Json;
import io.deimos.agent.json.JsonReader;
import io.deimos.agent.page.Asked;
import io.deimos.recorder.counts.Durations;
import io.deimos.recorder.counts.Metric;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class HourHistoryTest {
  private static final long[] NOTHING = new long[Durations.BUCKETS];

  private final HourHistory hour = new HourHistory();

  private void minute(int n, long messages, long failures) {
    long millis = 1_000 + (long) n * HourHistory.EVERY_MILLIS;
    hour.add(new HourHistory.Sums(at(millis), messages, NOTHING, NOTHING, failures, 0, 0), n);
  }

  /** While nobody sets the wall clock. */
  private static PointRing.At at(long millis) {
    return new PointRing.At(millis, millis * 1_000_000);
  }

  private Map<String, Object> read() throws Exception {
    StringWriter text = new StringWriter();
    hour.writeTo(new Json(text));
    return object(JsonReader.read(text.toString()));
  }

  @Test
  void add_minuteByMinute_isWhatHappenedInEach() throws Exception {
    minute(0, 100, 5);
    minute(1, 700, 5);
    minute(2, 700, 8);
    assertThat(array(read().get("seconds"))).hasSize(2);
    assertThat(array(read().get("rate"))).isEqualTo(List.of(10.0, 0.0));
    assertThat(array(read().get("failures"))).isEqualTo(List.of(0.0, 3.0));
    assertThat(array(read().get("actorsLive"))).isEqualTo(List.of(1.0, 2.0));
  }

  @Test
  void add_moreThanAnHour_forgetsTheOldest() throws Exception {
    for (int i = 0; i <= HourHistory.POINTS + 5; i++) {
      minute(i, i, 0);
    }
    List<Object> live = array(read().get("actorsLive"));
    assertThat(live).hasSize(HourHistory.POINTS);
    assertThat(live.get(0)).isEqualTo(6.0);
  }

  @Test
  void look_beforeAMinuteIsOver_takesNoPoint() throws Exception {
    hour.look(at(1_000_000), 1, NOTHING, NOTHING);
    hour.look(at(1_002_000), 2, NOTHING, NOTHING);
    assertThat(array(read().get("seconds"))).isEmpty();
    hour.look(at(1_060_000), 3, NOTHING, NOTHING);
    assertThat(array(read().get("seconds"))).hasSize(1);
    assertThat((Double) array(read().get("heapBytes")).get(0)).isPositive();
  }

  /** Somebody sets the clock an hour back, and then two hours on. */
  @Test
  void look_wallClockIsSet_stillTakesAPointEachMinute() throws Exception {
    long[] set = {36_000_000, 32_460_000, 39_720_000};
    for (int i = 0; i < set.length; i++) {
      hour.look(new PointRing.At(set[i], 60_000_000_000L * (i + 1)), 600L * i, NOTHING, NOTHING);
      hour.look(
          new PointRing.At(set[i] + 2_000, 60_000_000_000L * (i + 1) + 2_000_000_000L),
          600L * i,
          NOTHING,
          NOTHING);
    }
    assertThat(array(read().get("rate"))).isEqualTo(List.of(10.0, 10.0));
    assertThat(array(read().get("seconds"))).isEqualTo(List.of(32_460.0, 39_720.0));
  }

  @Test
  void system_ofAProcess_hasTheHourAndWhatIsCounted() throws Exception {
    Metric.QUARANTINES.tally().add(3, "peer");
    Map<String, Object> system = new Asked(null, List.of()).get(200, "/api/v1/system");
    assertThat(object(system.get("hour"))).containsKeys("seconds", "rate", "heapBytes");
    Map<String, Object> metric =
        array(system.get("metrics")).stream()
            .map(JsonReader::object)
            .filter(m -> Metric.QUARANTINES.id().equals(m.get("name")))
            .findFirst()
            .orElseThrow();
    Map<String, Object> first = object(array(metric.get("series")).get(0));
    assertThat(array(first.get("of"))).isEqualTo(List.of("peer"));
    assertThat((Long) first.get("value")).isGreaterThanOrEqualTo(3L);
  }
}
