// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules.actors;

import static io.deimos.agent.settings.CheckKeys.LARGE_MAILBOX;
import static io.deimos.agent.settings.CheckKeys.LARGE_STASH;

import io.deimos.agent.check.Evidence;
import io.deimos.agent.check.Figures;
import io.deimos.agent.check.Finding;
import io.deimos.agent.check.Where;
import io.deimos.agent.settings.Key;
import java.util.function.Consumer;

/** Finds mailboxes, or stashes, without a bound that were very long in the last ten minutes. */
final class UnboundedLarge extends ActorRule {
  private final Backlog.Kind kind;
  private final Key<Integer> threshold;

  private UnboundedLarge(Backlog.Kind kind, Key<Integer> threshold, String advice) {
    super(
        kind.word() + "-unbounded-large",
        "A " + kind.word() + " without a bound held very many messages.",
        advice,
        threshold);
    this.kind = kind;
    this.threshold = threshold;
  }

  static UnboundedLarge mailbox() {
    return new UnboundedLarge(
        Backlog.Kind.MAILBOX,
        LARGE_MAILBOX,
        "Give the actor a bounded mailbox, or slow its senders down, so that the heap cannot fill.");
  }

  static UnboundedLarge stash() {
    return new UnboundedLarge(
        Backlog.Kind.STASH,
        LARGE_STASH,
        "Set stash-capacity for the actor's mailbox, and refuse messages beyond it.");
  }

  @Override
  public void look(Evidence evidence, Consumer<Finding> found) {
    for (Backlog backlog : evidence.all(Backlog.class)) {
      if (backlog.kind() == kind && backlog.waiting().max() >= evidence.get(threshold)) {
        found.accept(
            finding(
                Where.actor(backlog.actor(), backlog.actorClass()),
                0,
                "The %s of %s has no bound: up to %s were in it in the last ten minutes, now %s."
                    .formatted(
                        kind.word(),
                        Figures.path(backlog.actor()),
                        Figures.of(backlog.waiting().max(), "message"),
                        Figures.count(backlog.waiting().last())),
                "The next burst may fill the heap, and the process ends.",
                actor(backlog.actor())));
      }
    }
  }
}
