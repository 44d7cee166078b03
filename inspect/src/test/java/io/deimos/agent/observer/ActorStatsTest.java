// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Objects;
import org.junit.jupiter.api.Test;

class ActorStatsTest {
  private static final long WINDOW = 1L << 32;
  private static final long MILLI = 1_000_000;

  private final ActorStats stats = new ActorStats(1 << 20, this::isGone);

  private int firstAlive;

  private boolean isGone(int id) {
    return id < firstAlive;
  }

  private ActorStats.Reading read(int id, long now) {
    stats.publish();
    return Objects.requireNonNull(stats.read(id, now));
  }

  @Test
  void read_unknownActor_isNull() {
    stats.publish();
    assertThat(stats.read(7, 0)).isNull();
  }

  @Test
  void add_messages_areSummed() {
    stats.add(7, 2 * MILLI, -1, false, 10);
    stats.add(7, 3 * MILLI, -1, true, 20);
    ActorStats.Reading reading = read(7, 30);
    assertThat(reading.messages()).isEqualTo(2);
    assertThat(reading.nanos()).isEqualTo(5 * MILLI);
    assertThat(reading.failures()).isEqualTo(1);
    assertThat(reading.waitP99Nanos()).isNull();
  }

  @Test
  void rate_inSteadyState_isThatOfTheLastWindows() {
    for (int i = 0; i < 4 * 430; i++) { // 430 messages of a millisecond a window
      stats.add(7, MILLI, -1, false, i * (WINDOW / 430));
    }
    ActorStats.Reading reading = read(7, 3 * WINDOW + WINDOW / 2);
    assertThat(reading.ratePerSecond()).isCloseTo(100, within(60.0));
    // A window on nothing has come: half of what was there still weighs, then none.
    assertThat(read(7, 5 * WINDOW - WINDOW / 2).ratePerSecond()).isCloseTo(50, within(1.0));
    assertThat(read(7, 5 * WINDOW - WINDOW / 2).busyShare()).isCloseTo(0.05, within(0.001));
    assertThat(read(7, 6 * WINDOW).ratePerSecond()).isZero();
    assertThat(read(7, 6 * WINDOW).messages()).isEqualTo(4 * 430);
  }

  @Test
  void busy_aMessageLongerThanTheWindow_isNoMoreThanAll() {
    stats.add(7, 20_000 * MILLI, -1, false, 5 * WINDOW);
    assertThat(read(7, 5 * WINDOW + 1).busyShare()).isEqualTo(1);
  }

  @Test
  void waitP99_manyShortAndFewLong_isLong() {
    for (int i = 0; i < 980; i++) {
      stats.add(7, 1, 20_000, false, 1);
    }
    for (int i = 0; i < 20; i++) {
      stats.add(7, 1, 500 * MILLI, false, 1);
    }
    assertThat(read(7, 2).waitP99Nanos()).isBetween(268 * MILLI, 537 * MILLI);
  }

  @Test
  void waitP99_moreThanACountHolds_goesOn() {
    for (int i = 0; i < 200_000; i++) {
      stats.add(7, 1, 3 * MILLI, false, 1);
    }
    assertThat(read(7, 2).waitP99Nanos()).isBetween(2 * MILLI, 4_200_000L);
  }

  @Test
  void add_moreActorsThanThereIsRoomFor_theBusiestStay() {
    for (int round = 0; round < 20; round++) {
      for (int i = 0; i < 50; i++) {
        stats.add(1, MILLI, -1, false, round * WINDOW / 10);
      }
      for (int id = 2 + round * 1000; id < 1002 + round * 1000; id++) {
        stats.add(id, 1, -1, false, round * WINDOW / 10);
      }
    }
    assertThat(read(1, 2 * WINDOW).messages()).isEqualTo(1000);
    assertThat(stats.size() + stats.letGo()).isGreaterThanOrEqualTo(20_001);
    assertThat(stats.bytes()).isLessThanOrEqualTo(1 << 20);
  }

  @Test
  void add_actorsThatComeAndGo_takeNoMoreThanThoseThatLive() {
    for (int id = 1; id <= 100_000; id++) {
      firstAlive = id - 100;
      stats.add(id, 1, -1, false, id);
    }
    stats.publish();
    assertThat(stats.bytes()).isLessThanOrEqualTo(1024 * ActorStats.SLOT_BYTES);
    assertThat(stats.letGo()).isZero();
    for (int id = firstAlive; id <= 100_000; id++) {
      assertThat(read(id, 100_000).messages()).isEqualTo(1);
    }
  }

  @Test
  void add_anActorInThePlaceOfOneThatIsGone_beginsAnew() {
    for (int id = 1; id <= 100_000; id++) {
      firstAlive = id;
      stats.add(id, MILLI, MILLI, true, id);
      ActorStats.Reading reading = read(id, id);
      assertThat(reading.messages()).isEqualTo(1);
      assertThat(reading.failures()).isEqualTo(1);
    }
    assertThat(stats.size()).isLessThanOrEqualTo(256);
  }
}
