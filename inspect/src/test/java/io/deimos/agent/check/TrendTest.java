// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.Random;
import java.util.function.LongUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Two minutes of points, two seconds apart. */
class TrendTest {
  private static final int POINTS = 60;
  private static final int SEEDS = 400;

  private static Trend trend(LongUnaryOperator value) {
    return Series.every(
            Duration.ofSeconds(2), 1_000_000, LongStream.range(0, POINTS).map(value).toArray())
        .trend();
  }

  @Test
  void of_growthWithNoise_isTheGrowthWithinTheError() {
    Random random = new Random(1);
    Trend trend = trend(i -> 2_400 * i + random.nextInt(20_000));
    assertThat(trend.rises()).isTrue();
    assertThat(trend.perSecond()).isCloseTo(1_200, within(trend.error()));
    assertThat(trend.error()).isGreaterThan(50);
  }

  @Test
  void of_aQueueThatWandersByChance_seldomRises() {
    assertThat(walks(0)).isLessThan(SEEDS * 6 / 100);
  }

  @Test
  void of_aQueueThatWandersAndGrows_rises() {
    assertThat(walks(60)).isGreaterThan(SEEDS * 9 / 10);
  }

  /** How many queues rise that get by chance up to 200 messages more or fewer, and these. */
  private static int walks(int more) {
    int rises = 0;
    for (int seed = 0; seed < SEEDS; seed++) {
      Random random = new Random(seed);
      long[] now = {100_000};
      rises += trend(i -> now[0] += random.nextInt(401) - 200 + more).rises() ? 1 : 0;
    }
    return rises;
  }

  @Test
  void of_burstsThatAreWorkedOff_doesNotRise() {
    assertThat(trend(i -> i % 15 == 0 ? 9_000 : 9_000 - i % 15 * 600).rises()).isFalse();
    assertThat(trend(i -> i < 40 ? 0 : 5_000).rises()).isFalse();
    assertThat(trend(i -> Math.max(0, 50_000 - i * 1_000)).rises()).isFalse();
    assertThat(trend(i -> 700).rises()).isFalse();
  }

  @Test
  void of_fewValues_saysNothing() {
    assertThat(Series.every(Duration.ofSeconds(9), 0, 1, 2, 3).trend()).isEqualTo(Trend.NONE);
    assertThat(Series.EMPTY.trend().rises()).isFalse();
  }

  @Test
  void changes_ofAMeasureThatIsNotAlwaysNew_areTheNewOnes() {
    Series series = Series.every(Duration.ofSeconds(2), 10_000, 0, 0, 5, 5, 5, 7, 7, 5);
    Series changes = series.changes();
    assertThat(changes.size()).isEqualTo(3);
    assertThat(changes.max()).isEqualTo(7);
    assertThat(changes.length()).isEqualTo(Duration.ofSeconds(10));
  }
}
