// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.io.Serializable;
import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** A message to another node that no serializer is bound to; and one that stays on its node. */
final class SerializedByJava implements Scenario {
  private static final Duration PAUSE = Duration.ofMillis(500);

  @Override
  public String rule() {
    return "java-serialization";
  }

  record SickOrder(int number) implements Serializable {}

  record HealthyOrder(int number) implements Serializable {}

  @Override
  public void sick(ActorSystem system) {
    Scenario.every(system, PAUSE, Neighbour.of(system), new SickOrder(1));
  }

  @Override
  public void healthy(ActorSystem system) {
    ActorRef here = system.actorOf(Props.create(Neighbour.class), "healthy-orders-here");
    Scenario.every(system, PAUSE, here, new HealthyOrder(1));
  }
}
