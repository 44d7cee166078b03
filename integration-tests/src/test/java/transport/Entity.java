// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package transport;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.cluster.Cluster;

/** A sharded actor, or the singleton: answers each text with itself and the port of its node. */
final class Entity extends AbstractActor {
  @Override
  public Receive createReceive() {
    int port = (Integer) Cluster.get(getContext().getSystem()).selfAddress().port().get();
    return receiveBuilder()
        .match(String.class, text -> getSender().tell(text + " at " + port, getSelf()))
        .build();
  }
}
