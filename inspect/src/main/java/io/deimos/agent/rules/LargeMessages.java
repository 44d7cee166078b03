// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import static io.deimos.agent.settings.CheckKeys.LARGE_MESSAGES;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Rule;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Where;
import java.time.Duration;
import java.util.function.Consumer;

/** Finds large messages that go to another node again and again. A single one is none. */
final class LargeMessages implements Rule {
  private static final Duration WINDOW = Duration.ofMinutes(1);
  private static final int LEAST_RISES = 5;

  private static final About ABOUT =
      About.of(
          "large-messages",
          "Messages of one class to another node were large again and again in the last minute.",
          "Send a reference to the data, or the data in pieces (reliable delivery can cut it), or"
              + " give its receivers the large-message stream:"
              + " pekko.remote.artery.large-message-destinations.",
          LARGE_MESSAGES);

  @Override
  public About about() {
    return ABOUT;
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Large large : evidence.all(Large.class)) {
      Series minute = large.sent().last(WINDOW);
      if (minute.growth() >= evidence.get(LARGE_MESSAGES) && minute.rises() >= LEAST_RISES) {
        found.accept(
            new Finding(
                ABOUT.id(),
                Finding.Severity.WARNING,
                Finding.Sure.CERTAIN,
                Where.peer(large.peer()).message(large.messageClass()),
                large.sent().risingSince(WINDOW),
                new Finding.Words(
                    Figures.of(minute.growth(), "message")
                        + " of "
                        + Figures.name(large.messageClass())
                        + " to "
                        + large.peer()
                        + " in the last minute had deimos.metrics.remote.large-message bytes or"
                        + " more.",
                    "Small messages to that node wait behind them.",
                    ABOUT.advice()),
                Links.SYSTEM));
      }
    }
  }
}
