// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.DEAD_LETTERS;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import io.deimos.agent.observer.TroubleGroup;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Finds messages of one class that become dead letters again and again. Those that an actor leaves
 * behind when it stops come once, and are none.
 */
final class DeadLettersRepeat implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(5);
  private static final Duration PAUSE = Duration.ofMinutes(1);
  private static final int LEAST_RISES = 5;

  private static final About ABOUT =
      About.of(
          "dead-letters-repeat",
          "Messages of one class became dead letters again and again in the last five minutes.",
          "Watch the receiver and stop to send when it ends, or get its reference anew; cancel"
              + " timers and subscriptions of actors that stop.",
          DEAD_LETTERS);

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Trouble trouble : evidence.all(Trouble.class)) {
      TroubleGroup group = trouble.group();
      Series letters = trouble.count().last(WINDOW);
      if (group.kind().equals("dead_letter")
          && !group.messageClass().isEmpty()
          && letters.growth() >= evidence.get(DEAD_LETTERS)
          && letters.rises() >= LEAST_RISES
          && letters.sinceRise().compareTo(PAUSE) < 0) {
        found.accept(finding(group, letters, trouble.count()));
      }
    }
  }

  private static Finding finding(TroubleGroup group, Series letters, Series all) {
    String receiver = group.examples().isEmpty() ? "" : group.examples().get(0).actorPath();
    return new Finding(
        ABOUT.id(),
        Finding.Severity.WARNING,
        Finding.Sure.CERTAIN,
        Where.actor(receiver, group.actorClass()).message(group.messageClass()),
        all.risingSince(PAUSE),
        new Finding.Words(
            Figures.of(letters.growth(), "message")
                + " of "
                + Figures.name(group.messageClass())
                + " became dead letters in the last "
                + Figures.time(letters.length().toNanos())
                + (receiver.isEmpty() ? "" : ", the latest for " + Figures.path(receiver))
                + ": "
                + group.why()
                + ".",
            "They are lost, and nobody processes them.",
            ABOUT.advice()),
        Links.trouble("dead_letter", Figures.name(group.messageClass())));
  }
}
