// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Source;
import io.deimos.agent.messages.AsksSeen;
import io.deimos.agent.observer.Observer;
import java.util.List;

/** The rules of this room, in the order of the documentation, and the sources of their facts. */
public final class ActorRules {
  private static final List<Rule> ALL =
      List.of(
          new AskTimesOutLater(),
          new AskChain(),
          new AskTimeoutTight(),
          UnboundedLarge.mailbox(),
          UnboundedLarge.stash(),
          new Bottleneck(),
          new PoolUsedAsOne(),
          new SupervisorHidesFailures(),
          new TimerOvertakes(),
          new ActorsNeverStopped(),
          new Skew(),
          new PassivationThrashes());

  private ActorRules() {}

  public static List<Rule> all() {
    return ALL;
  }

  public static List<Source> sources(Observer observer) {
    return List.of(
        facts -> asks(observer, facts),
        facts -> observer.ticks(facts.scan()).forEach(facts::add),
        new BacklogSource(),
        new BusySource(observer),
        new FailureSource(),
        new PopulationSource(observer),
        new ShardSource(),
        facts -> observer.repeatedStarts().forEach(facts::add));
  }

  private static void asks(Observer observer, Facts facts) {
    AsksSeen seen = observer.asks(facts.scan());
    seen.timed().forEach(facts::add);
    seen.nested().forEach(facts::add);
    seen.chains().forEach(facts::add);
  }
}
