// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.RESTARTS;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.function.Consumer;

/** Finds actors that are restarted again and again. Restarts that came at once are none. */
final class RestartLoop implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final Duration PAUSE = Duration.ofSeconds(30);
  private static final int LEAST_RISES = 3;

  /** One restart in so many messages leaves an actor hardly any work. */
  private static final int MESSAGES = 10;

  private static final About ABOUT =
      About.of(
          "restart-loop",
          "One actor was restarted again and again within the last minute.",
          "Handle the failure where it happens, or restart with backoff: its message or its start"
              + " fails each time, and a restart does not mend that.",
          RESTARTS);

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Restarted actor : evidence.all(Restarted.class)) {
      Series minute = actor.restarts().last(WINDOW);
      if (minute.growth() >= evidence.get(RESTARTS)
          && minute.rises() >= LEAST_RISES
          && minute.sinceRise().compareTo(PAUSE) < 0) {
        found.accept(
            new Finding(
                ABOUT.id(),
                hardlyWorks(actor, minute) ? Finding.Severity.CRITICAL : Finding.Severity.WARNING,
                Finding.Sure.CERTAIN,
                Where.actor(actor.actor(), actor.actorClass()),
                actor.restarts().risingSince(PAUSE),
                new Finding.Words(
                    Figures.path(actor.actor())
                        + " was restarted "
                        + Figures.of(minute.growth(), "time")
                        + " in the last "
                        + Figures.time(minute.length().toNanos())
                        + ".",
                    "It loses its state and the message that failed each time.",
                    ABOUT.advice()),
                Links.trouble("failure", Figures.name(actor.actorClass()))));
      }
    }
  }

  private static boolean hardlyWorks(Restarted actor, Series minute) {
    return minute.perSecond() * MESSAGES >= actor.processedPerSecond();
  }
}
