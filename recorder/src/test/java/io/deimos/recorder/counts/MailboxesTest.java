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
  void add_moreThanAnIntHolds_isTheMostItHolds() {
    Mailboxes.want();
    Mailboxes mailboxes = new Mailboxes();
    mailboxes.add(3, 1L << 40, 0);
    assertThat(mailboxes.waiting(3)).isEqualTo(Integer.MAX_VALUE);
  }
}
