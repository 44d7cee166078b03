// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.CHAINED_ACTORS;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import io.deimos.agent.messages.AskSite;
import io.deimos.agent.messages.AsksSeen.Chain;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/** Finds actors that each hold an ask open for another one's ask, again and again. */
final class AskChain extends ActorRule {
  /** One may be an exception. */
  private static final int LEAST = 3;

  AskChain() {
    super(
        "ask-chain",
        "Several actors hold an ask open at once, each for the one before.",
        "Send the first asker's reference along, so that the last actor answers it directly, or let"
            + " the first one ask each in turn.",
        CHAINED_ACTORS);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    Map<AskSite, Chain> longest = new LinkedHashMap<>();
    for (Chain chain : evidence.all(Chain.class)) {
      long actors = chain.sites().stream().filter(site -> !site.asker().isEmpty()).count();
      if (chain.seen().times() >= LEAST && actors >= evidence.get(CHAINED_ACTORS)) {
        longest.merge(
            chain.sites().get(0), chain, (a, b) -> b.sites().size() > a.sites().size() ? b : a);
      }
    }
    longest.values().forEach(chain -> found.accept(finding(chain)));
  }

  private Finding finding(Chain chain) {
    AskSite first = chain.sites().get(0);
    return finding(
        Where.actors(first.asked()).message(first.request()),
        since(chain.seen()),
        "%s open at once, each for the one before: %s asks %s (seen %s)."
            .formatted(
                Figures.of(chain.sites().size(), "ask"),
                asker(first),
                chain.sites().stream()
                    .map(ActorRule::asked)
                    .collect(Collectors.joining(", which asks ")),
                Figures.of(chain.seen().times(), "time")),
        "Each ask adds a time-out that fails all before it, and an answer on its way back.",
        trace(chain.seen()));
  }
}
