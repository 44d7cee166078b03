// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Many processes together have a bound, and each may go on in the end. */
class CreditTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void grant_hundredLinksForMinutes_isWhatIsReadInASecondAndNoLinkStarves() {
    for (Credit.Of of : Credit.Of.values()) {
      List<Credit> credits = new ArrayList<>();
      for (int i = 0; i < 100; i++) {
        credits.add(new Credit(of));
      }
      long now = System.nanoTime();
      long[] granted = new long[100];
      long sum = 0;
      for (int round = 0; round < 600; round++) {
        now += SECOND / 5;
        for (int i = 0; i < 100; i++) {
          long more = credits.get(i).grant(100, now);
          granted[i] += more;
          sum += more;
          assertThat(credits.get(i).spend((int) more)).isTrue();
        }
      }
      long began = 100L * of.leastWindow; // what each may send at once
      assertThat(sum - began).isLessThan(121 * (9L << 20));
      assertThat(Arrays.stream(granted).min().orElse(0)).isGreaterThan(4L * of.leastWindow);
    }
  }

  @Test
  void grant_toALinkThatCannotSendItsFrame_growsUntilItCan() {
    Credit credit = new Credit(Credit.Of.LAST);
    long now = System.nanoTime();
    long has = 0;
    for (int round = 0; round < 5_000 && has < Credit.Of.LAST.leastWindow; round++) {
      now += SECOND / 5;
      has += credit.grant(256, now);
      if (round == 0) {
        assertThat(credit.spend(20_000)).isTrue();
        has -= 20_000;
      }
    }
    assertThat(has).isGreaterThanOrEqualTo(Credit.Of.LAST.leastWindow);
    assertThat(credit.spend((int) has)).isTrue();
    assertThat(credit.spend(1)).as("beyond what it may").isFalse();
  }
}
