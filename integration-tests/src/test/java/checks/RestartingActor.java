// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** An actor that fails again and again; and one that failed ten times at once, and then works. */
final class RestartingActor implements Scenario {
  private static final int AT_ONCE = 10;

  @Override
  public String rule() {
    return "restart-loop";
  }

  abstract static class Failing extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Integer.class,
              number -> {
                throw new IllegalStateException("no feed");
              })
          .match(String.class, work -> {})
          .build();
    }
  }

  static final class SickFeed extends Failing {}

  static final class HealthyFeed extends Failing {}

  @Override
  public void sick(ActorSystem system) {
    ActorRef feed = system.actorOf(Props.create(SickFeed.class), "sick-feed");
    Scenario.every(system, Duration.ofMillis(500), feed, 1);
  }

  @Override
  public void healthy(ActorSystem system) {
    ActorRef feed = system.actorOf(Props.create(HealthyFeed.class), "healthy-feed");
    for (int i = 0; i < AT_ONCE; i++) {
      feed.tell(i, ActorRef.noSender());
    }
    Scenario.every(system, Duration.ofMillis(500), feed, "work");
  }
}
