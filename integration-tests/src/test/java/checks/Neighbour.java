// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import com.typesafe.config.ConfigFactory;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;

/** Another node in this JVM, with an actor that takes all. */
final class Neighbour extends AbstractActor {
  private static final String SETTINGS = "pekko.actor.provider = remote";

  private static ActorSystem there;

  /** The actor, as an actor of the system sees it. */
  static ActorRef of(ActorSystem system) {
    if (there == null) {
      there =
          ActorSystem.create(
              "there",
              ConfigFactory.parseString(SETTINGS).withFallback(system.settings().config()));
      there.actorOf(Props.create(Neighbour.class), "neighbour");
    }
    String node = ((ExtendedActorSystem) there).provider().getDefaultAddress().toString();
    return ((ExtendedActorSystem) system).provider().resolveActorRef(node + "/user/neighbour");
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder().matchAny(message -> {}).build();
  }
}
