// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** An actor that sleeps on the default dispatcher; and one that does so where it may. */
final class BlockedThread implements Scenario {
  private static final Duration PAUSE = Duration.ofMillis(100);

  @Override
  public String rule() {
    return "thread-blocked";
  }

  abstract static class Sleeping extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(String.class, request -> charge()).build();
    }

    private static void charge() throws InterruptedException {
      Thread.sleep(80);
    }
  }

  static final class SickPayment extends Sleeping {}

  static final class HealthyPayment extends Sleeping {}

  @Override
  public void sick(ActorSystem system) {
    Scenario.every(
        system, PAUSE, system.actorOf(Props.create(SickPayment.class), "sick-payment"), "charge");
  }

  @Override
  public void healthy(ActorSystem system) {
    Props props =
        Props.create(HealthyPayment.class)
            .withDispatcher("pekko.actor.default-blocking-io-dispatcher");
    Scenario.every(system, PAUSE, system.actorOf(props, "healthy-payment"), "charge");
  }
}
