// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class PastTest {
  private static final long LARGE = 1L << 30;

  private static void note(Past past, int times, Past.Noting noting) {
    for (int i = 0; i < times; i++) {
      past.note(i * 1_000L, noting);
    }
  }

  @Test
  void count_thatIsFirstNotedLater_grewFromZero() {
    Past past = new Past(LARGE);
    note(past, 2, notes -> {});
    past.note(2_000, notes -> notes.count("letters", "Ping", 7));
    assertThat(past.series("letters", "Ping").growth()).isEqualTo(7);
  }

  @Test
  void count_thatIsNotNoted_staysAsItWas() {
    Past past = new Past(LARGE);
    past.note(0, notes -> notes.count("letters", "Ping", 7));
    past.note(2_000, notes -> {});
    assertThat(past.series("letters", "Ping").last()).isEqualTo(7);
    past.note(4_000, notes -> notes.add("letters", "Ping", 2));
    assertThat(past.series("letters", "Ping").last()).isEqualTo(9);
  }

  @Test
  void size_thatIsNotNoted_isZero() {
    Past past = new Past(LARGE);
    past.note(0, notes -> notes.size("mailbox", "a", 7));
    past.note(2_000, notes -> {});
    assertThat(past.series("mailbox", "a").last()).isZero();
    assertThat(past.series("mailbox", "a").size()).isEqualTo(2);
  }

  @Test
  void series_ofMoreThanTenMinutes_keepsTheNewestPoints() {
    Past past = new Past(LARGE);
    for (int i = 0; i <= Past.POINTS; i++) {
      long value = i + 1L;
      past.note(i * 2_000L, notes -> notes.count("n", "", value));
    }
    Series series = past.series("n", "");
    assertThat(series.size()).isEqualTo(Past.POINTS);
    assertThat(series.growth()).isEqualTo(Past.POINTS - 1);
    assertThat(series.last()).isEqualTo(Past.POINTS + 1);
  }

  @Test
  void names_beyondTheirQuarter_areLeftOutAndCountedAndLeaveRoomForOthers() {
    Past past = new Past(100L * Past.SERIES_BYTES);
    past.note(
        0,
        notes -> {
          for (int i = 0; i < 100; i++) {
            notes.count("flood", "s" + i, 1);
          }
          notes.count("other", "", 1);
        });
    assertThat(past.subjects("flood")).hasSize(25);
    assertThat(past.leftOut()).isEqualTo(75);
    assertThat(past.series("other", "").last()).isEqualTo(1);
    assertThat(past.bytes()).isLessThanOrEqualTo(100L * Past.SERIES_BYTES);
  }

  @Test
  void subject_thatWasNotNotedForTenMinutes_isForgotten() {
    Past past = new Past(LARGE);
    past.note(0, notes -> notes.size("mailbox", "a", 7));
    note(past, Past.POINTS, notes -> {});
    assertThat(past.subjects("mailbox")).isEmpty();
    assertThat(past.bytes()).isZero();
  }
}
