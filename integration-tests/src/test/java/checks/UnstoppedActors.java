// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/**
 * Actors for one message each that nobody stops; and others that stop themselves, and some that
 * were all made at the start.
 */
final class UnstoppedActors implements Scenario {
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int AT_THE_START = 200;

  @Override
  public String rule() {
    return "actors-never-stopped";
  }

  static final class SickSession extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(String.class, request -> {}).build();
    }
  }

  static final class HealthySession extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(String.class, request -> getContext().stop(getSelf())).build();
    }
  }

  static final class HealthyShelf extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(String.class, request -> {}).build();
    }
  }

  @Override
  public void sick(ActorSystem system) {
    sessions(system, Props.create(SickSession.class), "sick-session-");
  }

  @Override
  public void healthy(ActorSystem system) {
    sessions(system, Props.create(HealthySession.class), "healthy-session-");
    for (int i = 0; i < AT_THE_START; i++) {
      system.actorOf(Props.create(HealthyShelf.class), "healthy-shelf-" + i);
    }
  }

  private static void sessions(ActorSystem system, Props props, String name) {
    Scenario.every(
        system,
        PAUSE,
        () -> system.actorOf(props, name + System.nanoTime()).tell("request", ActorRef.noSender()));
  }
}
