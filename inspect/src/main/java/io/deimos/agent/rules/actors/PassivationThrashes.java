// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.ENTITY_STARTS;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import io.deimos.agent.observer.EntityStarts.Repeated;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Finds entities that stop although they are soon wanted again. A restart after a failure is no
 * start, and an entity that moves starts on another node.
 */
final class PassivationThrashes extends ActorRule {
  PassivationThrashes() {
    super(
        "passivation-thrashes",
        "Entities were passivated and started again within seconds, again and again.",
        "Give passivation more time than there is between two messages for an entity, or a larger"
            + " limit of active entities.",
        ENTITY_STARTS);
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    evidence.all(Repeated.class).stream()
        .filter(entity -> entity.starts() >= evidence.get(ENTITY_STARTS))
        .collect(Collectors.groupingBy(Repeated::actorClass))
        .values()
        .forEach(entities -> found.accept(finding(entities)));
  }

  private Finding finding(List<Repeated> entities) {
    Repeated one = entities.get(0);
    return finding(
        Where.actors(one.actorClass()),
        one.sinceEpochNanos() / 1_000_000,
        "%s of %s stopped and started again and again: %s, the first of them, %s times, every %s."
            .formatted(
                entities.size() == 1 ? "1 entity" : Figures.count(entities.size()) + " entities",
                Figures.name(one.actorClass()),
                Figures.path(one.actor()),
                Figures.count(one.starts()),
                Figures.time(one.nanos() / (one.starts() - 1))),
        "Each start reads the entity's state again, and messages wait for it.",
        actor(one.actor()));
  }
}
