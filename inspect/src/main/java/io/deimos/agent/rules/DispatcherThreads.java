// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.DISPATCHER_CPU;
import static io.deimos.agent.settings.CheckKeys.DISPATCHER_IDLE;
import static io.deimos.agent.settings.CheckKeys.DISPATCHER_SHORT;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Finds dispatchers with too few threads, or with many more than they use. Where all threads are
 * busy because the CPU is, more of them would not help; where messages block them, {@link
 * ThreadBlocked} says so.
 */
final class DispatcherThreads implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int LEAST_LOOKS = 10;
  private static final Duration LONG = Duration.ofMinutes(5);
  private static final int USED_IS_LESS_THAN = 8;

  private static final About ABOUT =
      About.of(
          "dispatcher-threads",
          "A dispatcher has too few threads while the CPU has room, or many that it never uses.",
          "Set parallelism-max of a fork-join executor, or fixed-pool-size of a thread pool, to"
              + " what the dispatcher's actors use at once.",
          DISPATCHER_SHORT,
          DISPATCHER_CPU,
          DISPATCHER_IDLE);

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Pool pool : evidence.all(Pool.class)) {
      long looks = pool.looks().last(WINDOW).growth();
      long shortOf = pool.shortOf().last(WINDOW).growth();
      double share = looks == 0 ? 0 : (double) shortOf / looks;
      if (looks >= LEAST_LOOKS
          && share >= evidence.get(DISPATCHER_SHORT)
          && pool.cpu().last(WINDOW).growth() <= shortOf * 1000 * evidence.get(DISPATCHER_CPU)
          && !isBlocked(pool, looks, evidence)) {
        found.accept(tooFew(pool, share));
      }
      if (pool.threads().length().compareTo(LONG) >= 0
          && pool.threads().min() >= evidence.get(DISPATCHER_IDLE)
          && pool.busy().max() * USED_IS_LESS_THAN <= pool.threads().min()) {
        found.accept(tooMany(pool));
      }
    }
  }

  /** Whether messages that block threads explain half of those that are busy. */
  private static boolean isBlocked(Pool pool, long looks, Evidence evidence) {
    long seen =
        evidence.all(Blocked.class).stream()
            .filter(blocked -> blocked.where().dispatcher().equals(pool.dispatcher()))
            .mapToLong(blocked -> blocked.seen().last(WINDOW).growth())
            .sum();
    return seen * 2 >= pool.wanted() * looks;
  }

  private static Finding tooFew(Pool pool, double share) {
    return new Finding(
        ABOUT.id(),
        Finding.Severity.WARNING,
        Finding.Sure.LIKELY,
        Where.dispatcher(pool.dispatcher()),
        pool.shortOf().risingSince(WINDOW),
        new Finding.Words(
            (pool.wanted() == 1
                    ? "The one thread of "
                    : "All " + Figures.count(pool.wanted()) + " threads of ")
                + pool.dispatcher()
                + (pool.wanted() == 1 ? " was" : " were")
                + " busy while tasks waited and the CPU had room, in "
                + Figures.share(share)
                + " of the last minute.",
            "Messages wait for a thread though the machine could process them.",
            ABOUT.advice()),
        Links.SYSTEM);
  }

  private static Finding tooMany(Pool pool) {
    return new Finding(
        ABOUT.id(),
        Finding.Severity.ADVICE,
        Finding.Sure.POSSIBLE,
        Where.dispatcher(pool.dispatcher()),
        null,
        new Finding.Words(
            pool.dispatcher()
                + " has "
                + Figures.count(pool.threads().last())
                + " threads, of which "
                + Figures.count(pool.busy().max())
                + " at most were busy in the last "
                + Figures.time(pool.threads().length().toNanos())
                + ".",
            "Each thread has a stack of its own, and many at once compete for the CPU.",
            ABOUT.advice()),
        Links.SYSTEM);
  }
}
