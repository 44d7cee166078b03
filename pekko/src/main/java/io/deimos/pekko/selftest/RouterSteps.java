// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import io.deimos.recorder.base.Fired;
import io.deimos.recorder.hooks.Probe;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.routing.RoundRobinPool;

/** A router in front of one actor. */
final class RouterSteps {
  private RouterSteps() {}

  static void run(Steps steps) {
    steps.check(
        "RoutedActorCell.sendMessage",
        () ->
            steps.inActor(
                c -> {
                  ActorRef router =
                      c.classicContext()
                          .actorOf(new RoundRobinPool(1).props(Props.create(Child.class)), "pool");
                  int before = Probe.fired(Fired.ROUTED);
                  router.tell(new Run(r -> true), ActorRef.noSender());
                  return Probe.fired(Fired.ROUTED) > before;
                }));
  }
}
