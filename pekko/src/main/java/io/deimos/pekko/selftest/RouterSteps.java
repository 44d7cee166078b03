// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.routing.RoundRobinPool;

/** A router in front of one actor. */
final class RouterSteps {
  private RouterSteps() {}

  static void run(Steps steps) {
    steps.fires(
        "RoutedActorCell.sendMessage",
        () ->
            steps.inActor(
                c -> {
                  ActorRef router =
                      c.classicContext()
                          .actorOf(new RoundRobinPool(1).props(Props.create(Child.class)), "pool");
                  router.tell(new Run(r -> true), ActorRef.noSender());
                  return true;
                }));
  }
}
