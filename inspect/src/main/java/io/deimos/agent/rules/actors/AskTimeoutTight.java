// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.ASK_NEAR;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import io.deimos.agent.messages.AsksSeen.Timed;
import java.util.function.Consumer;

/** Finds asks whose answers come shortly before the time-out. */
final class AskTimeoutTight extends ActorRule {
  /** Fewer answers have no p99. */
  private static final int LEAST = 200;

  AskTimeoutTight() {
    super(
        "ask-timeout-tight",
        "One answer in a hundred takes nearly as long as the ask's time-out.",
        "Make the answer faster, or give the ask more time than its slowest answers need.",
        ASK_NEAR);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Timed timed : evidence.all(Timed.class)) {
      if (timed.answered() >= LEAST
          && timed.p99Nanos() >= evidence.get(ASK_NEAR) * timed.timeoutNanos()) {
        found.accept(finding(timed));
      }
    }
  }

  private Finding finding(Timed timed) {
    return finding(
        Where.actors(timed.site().asked()).message(timed.site().request()),
        0,
        ("One answer in a hundred from %s to %s takes %s or longer, and the ask gives up after %s;"
                + " of the last %s, %s timed out.")
            .formatted(
                asked(timed.site()),
                asker(timed.site()),
                Figures.time(timed.p99Nanos()),
                Figures.time(timed.timeoutNanos()),
                Figures.of(timed.answered() + timed.timedOut(), "ask"),
                Figures.count(timed.timedOut())),
        "With a little more load, many of these asks fail.",
        trace(timed.slowest()));
  }
}
