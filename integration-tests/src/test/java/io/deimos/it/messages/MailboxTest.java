// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.it.messages;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.it.harness.Jdk;
import io.deimos.it.harness.OnEachJdk;
import io.deimos.it.harness.ScenarioRun;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Each mailbox hands the envelope on as it is, in the order of its own choice. */
@Tag("quick")
@OnEachJdk
class MailboxTest {
  private final ScenarioRun run;

  MailboxTest(Jdk jdk) {
    run = ScenarioRun.ofAll(jdk);
  }

  @Test
  void fullMailbox_whatIsTakenOut_isWhatIsRecorded() {
    assertThat(run.spansOf("mailbox-full"))
        .filteredOn(s -> s.name().equals("process Work"))
        .hasSizeBetween(1, 999);
  }
}
