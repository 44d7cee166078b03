// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MailboxesTest {
  @Test
  void add_manyActors_eachIsFoundAndOthersAreUnknown() {
    Mailboxes.want();
    Mailboxes mailboxes = new Mailboxes();
    for (int id = 1; id <= 5000; id++) {
      mailboxes.add(id * 7, id, id % 3);
    }
    assertThat(mailboxes.size()).isEqualTo(5000);
    for (int id = 1; id <= 5000; id++) {
      assertThat(mailboxes.waiting(id * 7)).isEqualTo(id);
      assertThat(mailboxes.children(id * 7)).isEqualTo(id % 3);
      assertThat(mailboxes.waiting(id * 7 + 1)).isEqualTo(Mailboxes.UNKNOWN);
    }
  }

  @Test
  void waiting_nobodyLooked_isUnknown() {
    assertThat(new Mailboxes().waiting(1)).isEqualTo(Mailboxes.UNKNOWN);
    assertThat(new Mailboxes().children(0)).isEqualTo(Mailboxes.UNKNOWN);
  }

  @Test
  void peak_ofABurst_isToldForAMinuteAndForgottenAfterHalfAMinuteMore() {
    Mailboxes.want();
    Mailboxes before = look(new Mailboxes(), 0, 0);
    before = look(before, 29, 700);
    for (int second = 30; second < 90; second++) {
      before = look(before, second, 2);
      assertThat(before.peak(5)).as("after %d s", second).isEqualTo(700);
      assertThat(before.waiting(5)).isEqualTo(2);
    }
    assertThat(look(before, 90, 2).peak(5)).isEqualTo(2);
  }

  @Test
  void peak_ofAnActorThatIsNew_isItsOwn() {
    Mailboxes.want();
    Mailboxes before = look(new Mailboxes(), 0, 700);
    Mailboxes now = new Mailboxes();
    now.add(6, 3, 0);
    now.follow(before, 1_000_000_000L);
    assertThat(now.peak(6)).isEqualTo(3);
    assertThat(now.peak(5)).isEqualTo(Mailboxes.UNKNOWN);
  }

  @Test
  void peak_nobodyLookedForLong_isThatOfThisLook() {
    Mailboxes.want();
    assertThat(look(look(new Mailboxes(), 0, 700), 3600, 1).peak(5)).isEqualTo(1);
  }

  private static Mailboxes look(Mailboxes before, int second, int waiting) {
    Mailboxes now = new Mailboxes();
    for (int id = 1; id <= 40; id++) {
      now.add(id, id == 5 ? waiting : 0, 0);
    }
    now.follow(before, second * 1_000_000_000L);
    return now;
  }

  @Test
  void add_moreThanAnIntHolds_isTheMostItHolds() {
    Mailboxes.want();
    Mailboxes mailboxes = new Mailboxes();
    mailboxes.add(3, 1L << 40, 0);
    assertThat(mailboxes.waiting(3)).isEqualTo(Integer.MAX_VALUE);
  }
}
