// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.UNSTOPPED;
import static io.deimos.agent.settings.CheckKeys.UNSTOPPED_TIME;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Finds classes of which actors are made all the time, none has ever stopped, and the oldest have
 * nothing to do. Actors that were all made at the start are no leak, and neither are those that
 * work.
 */
final class ActorsNeverStopped extends ActorRule {
  private static final double IDLE = 0.9;

  /** The number of actors after which a part of the time says how fast they are made. */
  private static final int LEAST = 8;

  /**
   * A class with many living actors, of which none has ever stopped.
   *
   * @param started how many so far
   * @param idleShare of the oldest, the share without a message in the last seconds
   */
  record Population(String actorClass, Series started, double idleShare) {}

  ActorsNeverStopped() {
    super(
        "actors-never-stopped",
        "Actors of a class were made at a steady rate, and none of them has ever stopped.",
        "Stop each actor when its work is done: by itself, by a receive time-out, or by"
            + " passivation if it is an entity.",
        UNSTOPPED,
        UNSTOPPED_TIME);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    Duration time = evidence.get(UNSTOPPED_TIME);
    for (Population population : evidence.all(Population.class)) {
      if (population.started().last() >= evidence.get(UNSTOPPED)
          && population.idleShare() >= IDLE
          && isSteady(population.started(), time)) {
        found.accept(finding(population, population.started().last(time)));
      }
    }
  }

  /** Whether as many came in the last quarter of the time as before, within a factor of two. */
  private static boolean isSteady(Series started, Duration time) {
    Series all = started.last(time);
    long quarter = started.last(time.dividedBy(4)).growth();
    return all.length().multipliedBy(10).compareTo(time.multipliedBy(9)) >= 0
        && quarter >= LEAST
        && quarter * 8 >= all.growth()
        && quarter * 2 <= all.growth();
  }

  private Finding finding(Population population, Series started) {
    String type = population.actorClass();
    return finding(
            Where.actors(type),
            0,
            "%s of %s live, %s more a minute; none has ever stopped, and %s of the oldest are idle."
                .formatted(
                    Figures.of(started.last(), "actor"),
                    Figures.name(type),
                    Figures.rate(started.perSecond() * 60),
                    Figures.share(population.idleShare())),
            "They keep their state, and the heap fills until the process ends.",
            "#/actors?class=" + type.replace("$", "%24"))
        .as(Finding.Severity.WARNING, Finding.Sure.LIKELY);
  }
}
