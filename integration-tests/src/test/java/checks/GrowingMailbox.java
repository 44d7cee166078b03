// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** More messages than the actor processes; and as many in bursts, each of which it works off. */
final class GrowingMailbox implements Scenario {
  private static final long MILLISECOND = 1_000_000;

  @Override
  public String rule() {
    return "mailbox-grows";
  }

  /** Takes a millisecond a message, on a thread of its own. */
  abstract static class Slow extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Integer.class, number -> LockSupport.parkNanos(MILLISECOND))
          .build();
    }
  }

  static final class SickOrders extends Slow {}

  static final class HealthyOrders extends Slow {}

  @Override
  public void sick(ActorSystem system) {
    send(system, Props.create(SickOrders.class), "sick-orders", Duration.ofMillis(50), 80);
  }

  @Override
  public void healthy(ActorSystem system) {
    send(system, Props.create(HealthyOrders.class), "healthy-orders", Duration.ofSeconds(9), 1_500);
  }

  private static void send(
      ActorSystem system, Props props, String name, Duration every, int messages) {
    ActorRef orders = system.actorOf(props.withDispatcher("slow"), name);
    Scenario.every(
        system,
        every,
        () -> {
          for (int i = 0; i < messages; i++) {
            orders.tell(i, ActorRef.noSender());
          }
        });
  }
}
