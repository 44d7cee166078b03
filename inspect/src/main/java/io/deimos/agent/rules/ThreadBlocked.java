// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.BLOCKED_SHARE;
import static io.deimos.agent.settings.CheckKeys.BLOCKED_TIME;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Finds messages that block threads of a dispatcher which others share. A dispatcher of its own for
 * what blocks is as it should be, as long as its tasks find a thread.
 */
final class ThreadBlocked implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int LEAST_SEEN = 3;
  private static final int CERTAIN_SEEN = 10;
  private static final List<String> SHARED =
      List.of("pekko.actor.default-dispatcher", "pekko.actor.internal-dispatcher");

  private static final About ABOUT =
      About.of(
          "thread-blocked",
          "An actor blocked a thread of a dispatcher that other actors need.",
          "Call it without waiting (an asynchronous driver, pipeToSelf, a timer), or run the actor"
              + " on a dispatcher of its own: pekko.actor.default-blocking-io-dispatcher.",
          BLOCKED_SHARE,
          BLOCKED_TIME);

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Blocked blocked : evidence.all(Blocked.class)) {
      long seen = blocked.seen().last(WINDOW).growth();
      long looks = Math.max(1, blocked.looks().last(WINDOW).growth());
      double share = (double) seen / looks;
      boolean often = seen >= LEAST_SEEN && share >= evidence.get(BLOCKED_SHARE);
      boolean isLong = blocked.lasting() >= evidence.get(BLOCKED_TIME).toNanos();
      boolean starves = blocked.starved().last(WINDOW).growth() >= LEAST_SEEN;
      if ((often || isLong) && (SHARED.contains(blocked.where().dispatcher()) || starves)) {
        found.accept(finding(blocked, share, seen, starves));
      }
    }
  }

  private static Finding finding(Blocked blocked, double share, long seen, boolean starves) {
    Where where = blocked.where();
    Series all = blocked.seen();
    String line = where.line();
    return new Finding(
        ABOUT.id(),
        starves ? Finding.Severity.CRITICAL : Finding.Severity.WARNING,
        seen >= CERTAIN_SEEN ? Finding.Sure.CERTAIN : Finding.Sure.LIKELY,
        where,
        all.risingSince(WINDOW),
        new Finding.Words(
            Figures.name(where.actorClass())
                + " blocks threads of "
                + where.dispatcher()
                + " in "
                + blocked.doing()
                + " while it processes "
                + Figures.name(where.messageClass())
                + (seen >= LEAST_SEEN
                    ? ": " + Figures.rate(share) + " threads on average in the last minute"
                    : ": for " + Figures.time(blocked.lasting()) + " now")
                + (line.isEmpty() ? "." : ", at " + line + "."),
            starves
                ? "Messages of other actors wait, since no thread is free."
                : "So many threads are missing to all other actors of the dispatcher.",
            ABOUT.advice()),
        Links.threads(where.actorClass()));
  }
}
