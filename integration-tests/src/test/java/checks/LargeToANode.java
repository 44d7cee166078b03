// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.io.Serializable;
import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;

/** Messages of 100 kB to another node all the time; and such a one once, beside small ones. */
final class LargeToANode implements Scenario {
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final int LARGE = 100_000;

  @Override
  public String rule() {
    return "large-messages";
  }

  @SuppressWarnings("ArrayRecordComponent") // not compared
  record SickPicture(byte[] bytes) implements Serializable {}

  @Override
  public void sick(ActorSystem system) {
    Scenario.every(system, PAUSE, Neighbour.of(system), new SickPicture(new byte[LARGE]));
  }

  @Override
  public void healthy(ActorSystem system) {
    ActorRef neighbour = Neighbour.of(system);
    neighbour.tell("x".repeat(LARGE), ActorRef.noSender());
    Scenario.every(system, PAUSE, neighbour, "small");
  }
}
