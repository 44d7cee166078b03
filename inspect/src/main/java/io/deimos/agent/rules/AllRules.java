// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Checks;
import io.deimos.agent.check.Rule;
import io.deimos.agent.observer.Observer;
import io.deimos.agent.rules.actors.ActorRules;
import io.deimos.agent.rules.cluster.ClusterRule;
import io.deimos.agent.settings.Keys;
import io.deimos.agent.settings.Settings;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The rules, in the order of the documentation. */
public final class AllRules {
  private static final List<Rule> ALL =
      Stream.of(
              Stream.<Rule>of(
                  new MailboxGrows(),
                  new ThreadBlocked(),
                  new RestartLoop(),
                  new DeadLettersRepeat()),
              ActorRules.all().stream(),
              Stream.<Rule>of(
                  new DispatcherThreads(),
                  new DispatcherThroughput(),
                  new JavaSerialization(),
                  new LargeMessages(),
                  new TelemetryCosts()),
              ClusterRule.all().stream())
          .flatMap(rules -> rules)
          .toList();

  /** A check may keep so much of what the page may take. */
  private static final int SHARE_OF_MEMORY = 16;

  private AllRules() {}

  /** All rules with all sources. */
  public static Checks checks(Observer observer, Supplier<Settings> settings) {
    Settings atStart = settings.get();
    Checks checks =
        new Checks(
                ALL,
                settings,
                atStart.get(Keys.PAGE_MEMORY) / SHARE_OF_MEMORY,
                atStart.get(Keys.OBSERVER_CPU))
            .with(new RestartSource(observer))
            .with(new TroubleSource(observer))
            .with(new ThreadSource())
            .with(new MailboxSource(observer))
            .with(new OutlookSource())
            .with(new PoolSource())
            .with(new RemoteSource())
            .with(new TelemetrySource());
    ActorRules.sources(observer).forEach(checks::with);
    return checks;
  }

  /** The rules of a page without an application, which sees the processes that have joined. */
  public static Checks ofOthers(Settings settings) {
    return new Checks(ClusterRule.all(), () -> settings, 0, settings.get(Keys.OBSERVER_CPU));
  }

  public static List<Rule> all() {
    return ALL;
  }
}
