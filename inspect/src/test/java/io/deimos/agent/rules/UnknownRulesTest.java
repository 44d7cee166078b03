// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.deimos.agent.check.Rule;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class UnknownRulesTest {
  private static List<String> told(String... ignored) {
    List<String> told = new ArrayList<>();
    new UnknownRules(told::add)
        .accept(Settings.defaults().with(Keys.CHECK_IGNORE, List.of(ignored)));
    return told;
  }

  @Test
  void names_thatNoRuleHas_areToldInOneSentenceWithAllThatThereAre() {
    assertThat(told("restart-lop", "restart-loop", "mailbox-grow:/user/cart*"))
        .singleElement()
        .asString()
        .startsWith(
            "deimos.check.ignore=restart-lop, mailbox-grow:/user/cart* names no rule, and ignores"
                + " nothing; the rules are ")
        .contains(AllRules.all().stream().map(Rule::id).toList())
        .contains("check-failed");
  }

  @Test
  void names_ofRules_areNotTold() {
    assertThat(told()).isEmpty();
    assertThat(told("restart-loop", "thread-blocked:/user/legacy*", "check-failed")).isEmpty();
  }
}
