// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class AdmissionTest {
  private static final long SECOND = 1_000_000_000L;

  private final Admission admission = new Admission(50, 1_000_000, 0);
  private final Random random = new Random(7);

  /** Offers traces evenly spread over each second, and counts those admitted in each. */
  private List<Integer> run(long fromSecond, int seconds, int perSecond) {
    List<Integer> admitted = new ArrayList<>();
    for (long second = fromSecond; second < fromSecond + seconds; second++) {
      int count = 0;
      for (int i = 0; i < perSecond; i++) {
        long now = second * SECOND + i * (SECOND / perSecond);
        count += offer(now) ? 1 : 0;
      }
      admitted.add(count);
    }
    return admitted;
  }

  private boolean offer(long now) {
    long spread = random.nextLong() & Long.MAX_VALUE; // as a key of this process spreads ids
    return !admission.isOutOfReach(spread) && admission.admit(spread, now);
  }

  @Test
  void admit_lowRate_takesEveryTrace() {
    assertThat(run(0, 5, 40)).containsOnly(40);
    assertThat(admission.share()).isEqualTo(1.0);
  }

  @Test
  void admit_highRate_takesAboutAsManyAsAllowed() {
    List<Integer> admitted = run(0, 10, 20_000);
    assertThat(admitted).allMatch(n -> n <= 50);
    assertThat(admitted.subList(3, 10).stream().mapToInt(n -> n).sum()).isBetween(200, 350);
    assertThat(admission.share()).isLessThan(0.01);
  }

  @Test
  void admit_loadGoesAway_takesEveryTraceAgain() {
    run(0, 3, 20_000);
    List<Integer> admitted = run(3, 20, 20);
    assertThat(admitted.subList(15, 20)).containsOnly(20);
  }

  @Test
  void admit_turnedAwayBefore_staysSoWhenTheThresholdRises() {
    run(0, 3, 20_000);
    List<Long> away = new ArrayList<>();
    for (int i = 0; i < 20_000; i++) {
      long spread = random.nextLong() & Long.MAX_VALUE; // as a key of this process spreads ids
      if (!admission.isOutOfReach(spread) && !admission.admit(spread, 3 * SECOND + i)) {
        away.add(spread);
      }
    }
    assertThat(away).hasSizeGreaterThan(100);
    for (long second = 4; second < 8; second++) {
      admission.tick(second * SECOND);
    }
    // Two ids may share a slot of what is remembered; the rest must all be known.
    long forgotten = away.stream().filter(id -> admission.admit(id, 8 * SECOND)).count();
    assertThat(forgotten).isLessThan(away.size() / 10);
  }

  @Test
  void admit_tracesOfManySpans_takesFewer() {
    Admission few = new Admission(50, 1_000, 0);
    for (long second = 0; second < 5; second++) {
      for (int i = 0; i < 40; i++) {
        long now = second * SECOND + i * (SECOND / 40);
        if (few.admit(TraceKey.spread(random.nextLong(), random.nextLong()), now)) {
          for (int span = 0; span < 500; span++) {
            few.countSpan();
          }
        }
      }
    }
    few.tick(5 * SECOND);
    assertThat(few.share()).isLessThan(0.2);
  }

  @Test
  void spread_idsInARow_coversTheRange() {
    int[] parts = new int[16];
    for (long id = 0; id < 16_000; id++) {
      long spread = TraceKey.spread(0, id);
      assertThat(spread).isNotNegative();
      parts[(int) (spread >>> 59)]++;
    }
    assertThat(Arrays.stream(parts)).allMatch(n -> n > 800 && n < 1200);
  }
}
