// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.clock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FastClockTest {
  private static final long SECOND_NANOS = 1_000_000_000L;
  private static final double RATE = 0.4;
  private static final long TICKS_A_SECOND = 2_500_000_000L;

  private final FastClock.Line line = new FastClock.Line(1_000, 5_000_000, RATE);

  private static FastClock.Sample after(long ticks, long nanos) {
    return new FastClock.Sample(1_000 + ticks, 5_000_000 + nanos);
  }

  @Test
  void nanos_ticksBeforeAndAfterTheAnchor_followTheRate() {
    assertThat(line.nanos(1_000)).isEqualTo(5_000_000);
    assertThat(line.nanos(1_000 + 10 * TICKS_A_SECOND))
        .isCloseTo(5_000_000 + 10 * SECOND_NANOS, Offset.offset(2L));
    assertThat(line.nanos(1_000 - TICKS_A_SECOND))
        .isCloseTo(5_000_000 - SECOND_NANOS, Offset.offset(2L));
  }

  @Test
  void bent_slowerByLittle_isNotSetBackAndMeetsNanoTimeInASecond() {
    FastClock.Sample now = after(TICKS_A_SECOND, SECOND_NANOS - 3_000);
    FastClock.Line bent = Objects.requireNonNull(FastClock.bent(line, now));
    assertThat(bent.nanos(now.ticks())).isEqualTo(line.nanos(now.ticks()));
    FastClock.Sample next = after(2 * TICKS_A_SECOND, 2 * SECOND_NANOS - 6_000);
    assertThat(bent.nanos(next.ticks())).isCloseTo(next.nanos(), Offset.offset(10L));
  }

  @Test
  void bent_manySecondsOfASteadyDifference_staysTogether() {
    FastClock.Line now = line;
    for (long second = 1; second <= 60; second++) {
      FastClock.Sample sample =
          after(second * TICKS_A_SECOND, second * SECOND_NANOS + second * 2_000);
      now = Objects.requireNonNull(FastClock.bent(now, sample));
    }
    FastClock.Sample end = after(61 * TICKS_A_SECOND, 61 * SECOND_NANOS + 61 * 2_000);
    assertThat(now.nanos(end.ticks())).isCloseTo(end.nanos(), Offset.offset(20L));
  }

  @Test
  void bent_jumpOfTheCounter_isRefused() {
    assertThat(FastClock.bent(line, after(TICKS_A_SECOND + 1_000_000, SECOND_NANOS))).isNull();
    assertThat(FastClock.bent(line, after(0, SECOND_NANOS))).isNull();
  }

  @Test
  void bent_nanoTimeStoodStill_isRefused() {
    assertThat(FastClock.bent(line, after(TICKS_A_SECOND, 0))).isNull();
  }
}
