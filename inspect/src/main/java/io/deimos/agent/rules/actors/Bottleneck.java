// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.BUSY_SHARE;
import static io.deimos.agent.settings.CheckKeys.BUSY_TIME;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import java.util.HashSet;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds single actors, singletons and whole pools that are busy all the time while messages wait
 * for them. An actor that is as busy by its own will has no messages that wait, and a burst ends.
 */
final class Bottleneck extends ActorRule {
  Bottleneck() {
    super(
        "bottleneck",
        "An actor, or each routee of a pool, was busy all the time while messages waited.",
        "Make its handler faster, or spread its work over more actors, by a key or a pool.",
        BUSY_SHARE,
        BUSY_TIME);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    double share = evidence.get(BUSY_SHARE);
    Set<String> pools = new HashSet<>();
    for (Busy busy : evidence.all(Busy.class)) {
      long since = busy.since(share, evidence.get(BUSY_TIME));
      Busy.Group group = busy.group();
      boolean isPool = group.role() == Busy.Role.ROUTEE;
      if (since > 0 && (!isPool || (group.leastBusy() >= share && pools.add(group.parent())))) {
        found.accept(isPool ? pool(busy, since) : one(busy, since));
      }
    }
  }

  private Finding one(Busy busy, long since) {
    String what =
        switch (busy.group().role()) {
          case SINGLETON -> "Singleton ";
          case ENTITY -> "Entity ";
          default -> "";
        };
    return finding(
        Where.actor(busy.actor(), busy.actorClass()),
        since,
        "%s%s is busy for %s of the time, and %s for it%s."
            .formatted(what, Figures.path(busy.actor()), share(busy), waiting(busy), skew(busy)),
        "One actor works on one core: more than its %s messages a second cannot be done."
            .formatted(Figures.rate(busy.perSecond())),
        actor(busy.actor()));
  }

  private static String skew(Busy busy) {
    Busy.Group group = busy.group();
    return group.role() == Busy.Role.ENTITY && group.size() > 1
        ? "; it gets %s of the messages for the %s entities of its shard"
            .formatted(Figures.share(group.share()), Figures.count(group.size()))
        : "";
  }

  private Finding pool(Busy busy, long since) {
    String router = busy.group().parent();
    return finding(
        Where.actor(router, busy.actorClass()),
        since,
        "All %s of %s are busy; for one of them, busy for %s of the time, %s."
            .formatted(
                Figures.of(busy.group().size(), "routee"),
                Figures.path(router),
                share(busy),
                waiting(busy)),
        "The pool cannot do more than it does, and messages wait ever longer.",
        actor(router));
  }

  private static String share(Busy busy) {
    return Figures.share(busy.busy().last() / 1000.0);
  }

  private static String waiting(Busy busy) {
    return Figures.of(busy.waiting(), "message") + (busy.waiting() == 1 ? " waits" : " wait");
  }
}
