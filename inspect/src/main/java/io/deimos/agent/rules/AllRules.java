// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Rule;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.util.List;
import java.util.function.Supplier;

/** The rules, in the order of the documentation. */
public final class AllRules {
  private static final List<Rule> ALL =
      List.of(
          new MailboxGrows(), //
          new ThreadBlocked(),
          new RestartLoop(),
          new DeadLettersRepeat());

  /** A check may keep so much of what the page may take. */
  private static final int SHARE_OF_MEMORY = 16;

  private AllRules() {}

  /** All rules with all sources. */
  public static Checks checks(Observer observer, Supplier<Settings> settings) {
    Settings atStart = settings.get();
    return new Checks(
            ALL,
            settings,
            atStart.get(Keys.PAGE_MEMORY) / SHARE_OF_MEMORY,
            atStart.get(Keys.OBSERVER_CPU))
        .with(new RestartSource(observer))
        .with(new TroubleSource(observer))
        .with(new ThreadSource())
        .with(new MailboxSource(observer));
  }

  public static List<Rule> all() {
    return ALL;
  }
}
