// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;

/** A timer that goes on for an actor that has ended; and what an actor leaves behind once. */
final class RepeatedDeadLetters implements Scenario {
  private static final int LEFT_BEHIND = 500;

  @Override
  public String rule() {
    return "dead-letters-repeat";
  }

  record SickTick() {}

  record HealthyOrder(int number) {}

  static final class Ending extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(message -> {}).build();
    }
  }

  @Override
  public void sick(ActorSystem system) {
    Scenario.every(system, Duration.ofMillis(200), ended(system, "sick-session"), new SickTick());
  }

  @Override
  public void healthy(ActorSystem system) {
    ActorRef ended = ended(system, "healthy-session");
    for (int i = 0; i < LEFT_BEHIND; i++) {
      ended.tell(new HealthyOrder(i), ActorRef.noSender());
    }
  }

  private static ActorRef ended(ActorSystem system, String name) {
    ActorRef ended = system.actorOf(Props.create(Ending.class), name);
    ended.tell(PoisonPill.getInstance(), ActorRef.noSender());
    return ended;
  }
}
