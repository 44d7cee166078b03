// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.THROUGHPUT_TURN;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Finds dispatchers whose throughput is above Pekko's default while an actor with slow messages
 * keeps a thread that tasks wait for. With the default, slow messages are what is wrong, and other
 * rules say so.
 */
final class DispatcherThroughput implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int LEAST_LOOKS = 10;
  private static final int PEKKOS = 5;
  private static final int LAST_THIRD = 2;

  private static final About ABOUT =
      About.of(
          "dispatcher-throughput",
          "The throughput of a dispatcher is high, and its messages are slow, while others wait.",
          "Leave throughput at Pekko's default of 5, or set it to 1 where messages take long;"
              + " throughput-deadline-time bounds a turn by time.",
          THROUGHPUT_TURN);

  /**
   * The turns of an actor with a long mailbox, for each of which it keeps a thread.
   *
   * @param throughput how many messages it processes in a turn at most
   * @param meanNanos for one message, of those in the last seconds
   */
  record Turns(Where where, int throughput, double meanNanos, Series waiting) {
    long nanos() {
      long waited = waiting.last(WINDOW).third(LAST_THIRD).min();
      return (long) (meanNanos * Math.min(throughput, waited));
    }
  }

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Turns turns : evidence.all(Turns.class)) {
      if (turns.throughput > PEKKOS
          && turns.nanos() >= evidence.get(THROUGHPUT_TURN).toNanos()
          && evidence.all(Pool.class).stream().anyMatch(pool -> waits(pool, turns))) {
        found.accept(finding(turns));
      }
    }
  }

  /** Whether tasks waited for a thread of this dispatcher in half of the last minute. */
  private static boolean waits(Pool pool, Turns turns) {
    long looks = pool.looks().last(WINDOW).growth();
    return pool.dispatcher().equals(turns.where.dispatcher())
        && looks >= LEAST_LOOKS
        && pool.shortOf().last(WINDOW).growth() * 2 >= looks;
  }

  private static Finding finding(Turns turns) {
    String says =
        "%s keeps a thread of %s for %s at a time while other tasks wait: throughput is %s, and a"
            + " message takes %s.";
    return new Finding(
        ABOUT.id(),
        Finding.Severity.WARNING,
        Finding.Sure.LIKELY,
        turns.where,
        null,
        new Finding.Words(
            says.formatted(
                Figures.path(turns.where.actor()),
                turns.where.dispatcher(),
                Figures.time(turns.nanos()),
                Figures.count(turns.throughput),
                Figures.time((long) turns.meanNanos)),
            "Actors with little to do wait for whole turns of this one.",
            ABOUT.advice()),
        Links.SYSTEM);
  }
}
