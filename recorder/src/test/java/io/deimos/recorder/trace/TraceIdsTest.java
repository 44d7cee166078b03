// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trace;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TraceIdsTest {
  private static final long SECOND = 1_795_000_000L;
  private static final long NOW = 77_000_000_000_001L;
  private static final long DAY = 86_400;

  private final Random random = new Random(11);

  @Test
  void since_ownIdAfterSomeTime_isThatLongAgo() {
    for (long age : new long[] {1, 10, 600, DAY - 1}) {
      long low = random.nextLong();
      long high = TraceIds.high(low, random.nextLong(), SECOND - age);
      assertThat(NOW - TraceIds.since(high, low, NOW, SECOND)).isEqualTo(age * 1_000_000_000L);
    }
  }

  @Test
  void since_ownIdOfThisSecondOrOfAClockAhead_isNow() {
    long low = random.nextLong();
    for (long begun : new long[] {SECOND, SECOND + 5}) {
      assertThat(TraceIds.since(TraceIds.high(low, 1, begun), low, NOW, SECOND)).isEqualTo(NOW);
    }
  }

  @Test
  void since_idOfADayAgo_isNow() {
    long low = random.nextLong();
    long high = TraceIds.high(low, 1, SECOND - DAY);
    assertThat(TraceIds.since(high, low, NOW, SECOND)).isEqualTo(NOW);
  }

  @Test
  void since_othersIds_areHardlyEverTakenForOurs() {
    int taken = 0;
    for (int i = 0; i < 1_000_000; i++) {
      long second = SECOND - 1 - random.nextInt((int) DAY - 1);
      long high = (second << 32) | random.nextInt(1 << 30);
      taken += TraceIds.since(high, random.nextLong(), NOW, SECOND) == NOW ? 0 : 1;
    }
    assertThat(taken).as("of a million that seem to be of the last day").isLessThan(50);
  }

  @Test
  void high_ofOneSecond_differsByLowAndByLane() {
    Set<Long> seen = new HashSet<>();
    long low = random.nextLong();
    for (int lane = 0; lane < 64; lane++) {
      seen.add(TraceIds.high(low, random.nextLong(), SECOND));
    }
    assertThat(seen).hasSizeGreaterThan(60);
    assertThat(seen).allSatisfy(high -> assertThat(high >>> 32).isEqualTo(SECOND));
  }
}
