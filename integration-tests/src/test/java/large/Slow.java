// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package large;

import org.apache.pekko.actor.AbstractActor;

/** Takes its time, so that its mailbox is long. */
final class Slow extends AbstractActor {
  private static final int MILLIS = 200;

  @Override
  public Receive createReceive() {
    return receiveBuilder().matchAny(message -> Thread.sleep(MILLIS)).build();
  }
}
