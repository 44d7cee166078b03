// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;

/** Entities of which one gets most messages, and so its shard does; and as many that share. */
final class SkewedEntities implements Scenario {
  private static final Duration PAUSE = Duration.ofMillis(100);
  private static final int ENTITIES = 20;

  @Override
  public String rule() {
    return "skew";
  }

  abstract static class Stock extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Sharded.class, order -> {}).build();
    }
  }

  static final class SickStock extends Stock {}

  static final class HealthyStock extends Stock {}

  @Override
  public void sick(ActorSystem system) {
    ActorRef region = Sharded.start(system, "sick-stock", SickStock.class);
    each(system, region);
    Scenario.every(
        system,
        PAUSE,
        () -> {
          for (int i = 0; i < 3 * ENTITIES; i++) {
            region.tell(new Sharded("0"), ActorRef.noSender());
          }
        });
  }

  @Override
  public void healthy(ActorSystem system) {
    each(system, Sharded.start(system, "healthy-stock", HealthyStock.class));
  }

  private static void each(ActorSystem system, ActorRef region) {
    Scenario.every(
        system,
        PAUSE,
        () -> {
          for (int i = 0; i < ENTITIES; i++) {
            region.tell(new Sharded(Integer.toString(i)), ActorRef.noSender());
          }
        });
  }
}
