// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.BUSY_SHARE;
import static io.deimos.agent.settings.CheckKeys.BUSY_TIME;
import static io.deimos.agent.settings.CheckKeys.POOL_SHARE;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import java.util.function.Consumer;

/**
 * Finds pools of which one routee does nearly all and cannot keep up. A pool with little to do may
 * give it all to one.
 */
final class PoolUsedAsOne extends ActorRule {
  PoolUsedAsOne() {
    super(
        "pool-used-as-one",
        "One routee of a pool got nearly all messages and could not keep up.",
        "Route in turn, or by a key with more values.",
        POOL_SHARE);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Busy busy : evidence.all(Busy.class)) {
      long since = busy.since(evidence.get(BUSY_SHARE), evidence.get(BUSY_TIME));
      Busy.Group group = busy.group();
      if (since > 0
          && group.role() == Busy.Role.ROUTEE
          && group.size() > 1
          && group.share() >= evidence.get(POOL_SHARE)) {
        found.accept(
            finding(
                Where.actor(group.parent(), busy.actorClass()),
                since,
                "Routee %s gets %s of the messages of a pool with %s routees, and cannot keep up."
                    .formatted(
                        Figures.path(busy.actor()), Figures.share(group.share()), group.size()),
                "Messages wait while the other routees have nothing to do.",
                actor(group.parent())));
      }
    }
  }
}
