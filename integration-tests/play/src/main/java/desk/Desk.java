// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package desk;

import org.apache.pekko.actor.AbstractActor;

/** Takes orders. The test changes the number. */
final class Desk extends AbstractActor {
  /** A request. */
  record Order0() {}

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Order0.class, order -> getSender().tell("Order0 is placed", getSelf()))
        .build();
  }
}
