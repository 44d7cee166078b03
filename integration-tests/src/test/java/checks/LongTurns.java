// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/**
 * Two actors with slow messages and long turns, which wait for each other; and one with turns as
 * long by number, of quick messages.
 */
final class LongTurns implements Scenario {
  private static final int WAITING = 300;

  @Override
  public String rule() {
    return "dispatcher-throughput";
  }

  static final class SickReport extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Semaphore.class,
              permits -> {
                Thread.sleep(5);
                permits.release();
              })
          .build();
    }
  }

  static final class HealthyReport extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Semaphore.class, Semaphore::release).build();
    }
  }

  @Override
  public void sick(ActorSystem system) {
    Props props = Props.create(SickReport.class).withDispatcher("sick-turns");
    feed(system, system.actorOf(props, "sick-report-1"));
    feed(system, system.actorOf(props, "sick-report-2"));
  }

  @Override
  public void healthy(ActorSystem system) {
    Props props = Props.create(HealthyReport.class).withDispatcher("healthy-turns");
    feed(system, system.actorOf(props, "healthy-report"));
  }

  /** Has so many messages under way again and again; the actor gives permits back. */
  private static void feed(ActorSystem system, ActorRef actor) {
    Semaphore permits = new Semaphore(WAITING);
    Scenario.every(
        system,
        Duration.ofMillis(100),
        () -> {
          for (int free = permits.drainPermits(); free > 0; free--) {
            actor.tell(permits, ActorRef.noSender());
          }
        });
  }
}
