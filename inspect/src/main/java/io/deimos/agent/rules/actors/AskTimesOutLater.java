// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.ASKS_LATER;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import io.deimos.agent.messages.AskSite;
import io.deimos.agent.messages.AsksSeen.Nested;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Finds asks that an actor makes for whoever asked it, and that wait longer than that one does. An
 * outer ask that is answered before the inner one does not depend on it.
 */
final class AskTimesOutLater extends ActorRule {
  /** One in so many may be otherwise. */
  private static final int FEW = 10;

  AskTimesOutLater() {
    super(
        "ask-times-out-later",
        "An actor asks on behalf of an asker, with a longer time-out than that one has.",
        "Give the inner ask a shorter time-out than the outer one, or send the deadline along.",
        ASKS_LATER);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    Map<AskSite, Nested> worst = new LinkedHashMap<>();
    for (Nested nested : evidence.all(Nested.class)) {
      int times = nested.seen().times();
      if (nested.longer() >= evidence.get(ASKS_LATER)
          && (times - nested.longer()) * FEW <= times
          && nested.unwaited() * FEW <= times) {
        worst.merge(
            nested.inner(),
            nested,
            (a, b) -> b.outerTimeoutNanos() < a.outerTimeoutNanos() ? b : a);
      }
    }
    worst.values().forEach(nested -> found.accept(finding(nested)));
  }

  private Finding finding(Nested nested) {
    AskSite inner = nested.inner();
    return finding(
        Where.actors(inner.asker()).message(inner.request()),
        since(nested.seen()),
        "%s asks %s and waits up to %s, while %s, which waits for that, gives up after %s (seen %s)."
            .formatted(
                asker(inner),
                asked(inner),
                Figures.time(nested.innerTimeoutNanos()),
                asker(nested.outer()),
                Figures.time(nested.outerTimeoutNanos()),
                Figures.of(nested.longer(), "time")),
        "When it is slow, its answer comes too late for the outer ask, and the work was in vain.",
        trace(nested.seen()));
  }
}
