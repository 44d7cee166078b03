// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.HIDDEN_FAILURES;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Finds failures that supervision deals with and that no log tells of. Since nobody knows which
 * line is about which failure, all errors and warnings of actors count as if they were about it.
 */
final class SupervisorHidesFailures extends ActorRule {
  private static final Duration WINDOW = Duration.ofMinutes(5);

  /** A log that tells of one failure in so many hides the others. */
  private static final int HIDDEN = 4;

  SupervisorHidesFailures() {
    super(
        "supervisor-hides-failures",
        "Actors failed again and again, and hardly a line in a log tells of it.",
        "Log failures where they are supervised, or handle what is expected in the actor itself.",
        HIDDEN_FAILURES);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Failing failing : evidence.all(Failing.class)) {
      Series failed = failing.failed().last(WINDOW);
      long logged = failing.logged().last(WINDOW).growth();
      if (!failing.logged().isEmpty()
          && failed.growth() >= evidence.get(HIDDEN_FAILURES)
          && failed.rises() > 1
          && logged * HIDDEN <= failed.growth()) {
        found.accept(
            finding(
                Where.actors(failing.actorClass()),
                failed.risingSince(WINDOW),
                "%s failed %s in the last %s, while all actors logged %s of errors and warnings."
                    .formatted(
                        Figures.name(failing.actorClass()),
                        Figures.of(failed.growth(), "time"),
                        Figures.time(failed.length().toNanos()),
                        Figures.of(logged, "line")),
                "A message is lost at each failure, and nobody hears of it.",
                "#/trouble?kind=failed"));
      }
    }
  }
}
