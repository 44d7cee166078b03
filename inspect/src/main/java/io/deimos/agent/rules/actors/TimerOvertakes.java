// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.TICKS;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import io.deimos.agent.messages.Ticks;
import java.util.function.Consumer;

/**
 * Finds timers that send their next message before the last one is handled. A handler that is slow
 * once catches up, and a sender that waits for the handler sends as fast as that.
 */
final class TimerOvertakes extends ActorRule {
  /** Pekko's scheduler has no shorter intervals. */
  private static final long TICK_NANOS = 10_000_000;

  /** Tenths of the interval that are clearly more than it. */
  private static final int CLEARLY = 11;

  TimerOvertakes() {
    super(
        "timer-overtakes",
        "A timer sent messages at shorter intervals than their handling takes.",
        "Start a single timer again at the end of each handling, or make the interval longer.",
        TICKS);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Ticks ticks : evidence.all(Ticks.class)) {
      if (ticks.seen() >= evidence.get(TICKS)
          && ticks.intervalNanos() >= TICK_NANOS
          && ticks.handlingNanos() * 10 >= ticks.intervalNanos() * CLEARLY
          && ticks.waitNanos() > ticks.intervalNanos()) {
        found.accept(
            finding(
                Where.actor(ticks.actor(), ticks.actorClass()).message(ticks.messageClass()),
                ticks.sinceEpochNanos() / 1_000_000,
                "%s comes to %s every %s and takes %s; the last one waited for %s."
                    .formatted(
                        Figures.name(ticks.messageClass()),
                        Figures.path(ticks.actor()),
                        Figures.time(ticks.intervalNanos()),
                        Figures.time(ticks.handlingNanos()),
                        Figures.time(ticks.waitNanos())),
                "The mailbox grows, and all other messages wait behind the timer's.",
                actor(ticks.actor())));
      }
    }
  }
}
