// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.source;

import static io.deimos.agent.json.JsonReader.array;
import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.json.Json;
import io.deimos.agent.json.JsonReader;
import io.deimos.recorder.counts.Durations;
import java.io.IOException;
import java.io.StringWriter;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PageHistoryTest {
  private final PageHistory history = new PageHistory(List::of);

  private Map<String, Object> written() throws IOException {
    StringWriter text = new StringWriter();
    history.writeTo(new Json(text));
    return JsonReader.object(JsonReader.read(text.toString()));
  }

  private static PointRing.At at(long millis) {
    return new PointRing.At(millis, millis * 1_000_000);
  }

  private static long[] buckets(long nanos, long count) {
    long[] buckets = new long[Durations.BUCKETS];
    buckets[Durations.bucket(nanos)] = count;
    return buckets;
  }

  @Test
  void add_twoReadings_givesOnePointOfTheirDifference() throws IOException {
    history.add(at(10_000), 100, buckets(1_000_000, 50), buckets(5_000, 10));
    history.add(at(12_000), 300, buckets(1_000_000, 250), buckets(5_000, 10));
    Map<String, Object> written = written();
    assertThat(array(written.get("seconds"))).containsExactly(12.0);
    assertThat(array(written.get("rate"))).containsExactly(100.0);
    assertThat(array(written.get("processingP50"))).containsExactly(750_000.0);
    assertThat(array(written.get("waitP99"))).as("nothing has waited").containsOnlyNulls();
  }

  @Test
  void add_wallClockIsSetBack_isOnePointOfTheTimeThatPassed() throws IOException {
    history.add(at(10_000), 100, buckets(1, 0), buckets(1, 0));
    history.add(new PointRing.At(5_000, 12_000_000_000L), 300, buckets(1, 0), buckets(1, 0));
    assertThat(array(written().get("rate"))).containsExactly(100.0);
  }

  @Test
  void add_moreThanFits_keepsTheLatest() throws IOException {
    for (int i = 1; i <= PageHistory.POINTS + 10; i++) {
      history.add(at(2_000L * i), i, buckets(1, 0), buckets(1, 0));
    }
    List<Object> seconds = array(written().get("seconds"));
    assertThat(seconds).hasSize(PageHistory.POINTS);
    assertThat(seconds.get(seconds.size() - 1)).isEqualTo(2.0 * (PageHistory.POINTS + 10));
    assertThat(seconds.get(0)).isEqualTo(2.0 * 11);
  }

  @Test
  void quantile_aboveTheLastBound_isTheBound() {
    assertThat(Quantiles.nanos(buckets(Long.MAX_VALUE, 1), 0.5)).isEqualTo(1e10);
  }
}
