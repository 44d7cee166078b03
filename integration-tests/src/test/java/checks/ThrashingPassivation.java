// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.cluster.sharding.ShardRegion;

/** An entity that leaves after each message and is soon wanted again; and others that are not. */
final class ThrashingPassivation implements Scenario {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @Override
  public String rule() {
    return "passivation-thrashes";
  }

  abstract static class Basket extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Sharded.class,
              order ->
                  getContext()
                      .getParent()
                      .tell(new ShardRegion.Passivate(PoisonPill.getInstance()), getSelf()))
          .build();
    }
  }

  static final class SickBasket extends Basket {}

  static final class HealthyBasket extends Basket {}

  @Override
  public void sick(ActorSystem system) {
    orders(system, Sharded.start(system, "sick-basket", SickBasket.class), () -> "the same");
  }

  @Override
  public void healthy(ActorSystem system) {
    AtomicInteger number = new AtomicInteger();
    orders(
        system,
        Sharded.start(system, "healthy-basket", HealthyBasket.class),
        () -> "order-" + number.incrementAndGet());
  }

  private static void orders(ActorSystem system, ActorRef region, Supplier<String> id) {
    Scenario.every(system, PAUSE, () -> region.tell(new Sharded(id.get()), ActorRef.noSender()));
  }
}
