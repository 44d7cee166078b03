// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class DurationBoundsTest {
  private static int searched(DurationBounds bounds, long nanos) {
    int at = Arrays.binarySearch(bounds.nanos(), Math.max(nanos, 0));
    return at >= 0 ? at : -at - 1;
  }

  private static void assertAgreesWithASearch(DurationBounds bounds) {
    for (long bound : bounds.nanos()) {
      for (long nanos = bound - 1; nanos <= bound + 1; nanos++) {
        assertThat(bounds.bucket(nanos)).as("%d ns", nanos).isEqualTo(searched(bounds, nanos));
      }
    }
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 20_000; i++) {
      long nanos = random.nextLong() >>> random.nextInt(1, 64);
      assertThat(bounds.bucket(nanos))
          .as("%d ns, seed %d", nanos, seed)
          .isEqualTo(searched(bounds, nanos));
    }
    assertThat(bounds.bucket(0)).isEqualTo(searched(bounds, 0));
    assertThat(bounds.bucket(-5)).isZero();
    assertThat(bounds.bucket(Long.MAX_VALUE)).isEqualTo(bounds.buckets() - 1);
  }

  @Test
  void bucket_severalBoundsInAnOctave_agreesWithASearch() {
    DurationBounds bounds = DurationBounds.of(0, 1, 2, 3, 1000, 1100, 1150, 1_000_000, 1_900_000);
    assertThat(bounds.nanos()).hasSize(9);
    assertAgreesWithASearch(bounds);
  }

  @Test
  void bucket_usualBoundsTogetherWithFourAnOctave_agreesWithASearch() {
    long[] octaves =
        LongStream.rangeClosed(-92, 28).map(i -> (long) (1e9 * Math.pow(2, i / 4.0))).toArray();
    DurationBounds bounds =
        DurationBounds.of(
            LongStream.concat(Arrays.stream(octaves), Arrays.stream(Durations.boundsNanos()))
                .toArray());
    // 0.25 s, 0.5 s and 1 s are in both.
    assertThat(bounds.nanos()).hasSize(octaves.length + Durations.boundsNanos().length - 3);
    assertAgreesWithASearch(bounds);
  }

  @Test
  void of_boundsThatNoCellTellsApart_keepsTheLower() {
    DurationBounds bounds = DurationBounds.of(1_000_000, 1_000_100, 2_000_000);
    assertThat(bounds.nanos()).containsExactly(1_000_000, 2_000_000);
    assertAgreesWithASearch(bounds);
  }

  @Test
  void told_boundsThatAreAmongThese_isExact() {
    DurationBounds bounds = DurationBounds.of(10, 20, 30, 40);
    assertThat(bounds.told(new long[] {1, 2, 3, 4, 5}, new long[] {20, 40}))
        .containsExactly(3, 7, 5);
    assertThat(bounds.told(new long[] {1, 2, 3, 4, 5}, new long[] {})).containsExactly(15);
  }

  @Test
  void told_boundsBetweenThese_countsAsTheUpper() {
    DurationBounds bounds = DurationBounds.of(10, 20, 30, 40);
    assertThat(bounds.told(new long[] {1, 2, 3, 4, 5}, new long[] {-1, 15, 20, 25, 100}))
        .containsExactly(0, 1, 2, 0, 7, 5);
  }

  @Test
  void choose_afterDurationsWereCounted_isRefusedUnlessNothingIsNew() {
    assertThat(DurationBuckets.count()).isEqualTo(Durations.BUCKETS);
    assertThat(DurationBuckets.choose(123)).isFalse();
    assertThat(DurationBuckets.choose(1_000_000)).isTrue();
  }
}
