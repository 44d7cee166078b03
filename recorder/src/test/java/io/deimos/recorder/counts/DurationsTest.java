// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

class DurationsTest {
  private static int searched(long nanos) {
    long[] bounds = Durations.boundsNanos();
    int bucket = 0;
    while (bucket < bounds.length && nanos > bounds[bucket]) {
      bucket++;
    }
    return bucket;
  }

  @Test
  void bucket_aroundEachBound_isTheFirstNotExceeded() {
    for (long bound : Durations.boundsNanos()) {
      for (long nanos = bound - 1; nanos <= bound + 1; nanos++) {
        assertThat(Durations.bucket(nanos)).as("%d ns", nanos).isEqualTo(searched(nanos));
      }
    }
  }

  @Test
  void bucket_anyDuration_agreesWithASearch() {
    long seed = System.nanoTime();
    Random random = new Random(seed);
    for (int i = 0; i < 100_000; i++) {
      long nanos = random.nextLong() >>> random.nextInt(1, 64);
      assertThat(Durations.bucket(nanos))
          .as("%d ns, seed %d", nanos, seed)
          .isEqualTo(searched(nanos));
    }
  }

  @Test
  void bucket_zeroAndNegative_areTheFirst() {
    assertThat(Durations.bucket(0)).isZero();
    assertThat(Durations.bucket(-5)).isZero();
  }

  @Test
  void bucket_longest_isTheLast() {
    assertThat(Durations.bucket(Long.MAX_VALUE)).isEqualTo(Durations.BUCKETS - 1);
  }
}
