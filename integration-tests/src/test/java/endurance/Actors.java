// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;

/** The actors of the loads. */
final class Actors {
  private Actors() {}

  /** Answers with what it gets. */
  static final class Echo extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              any -> {
                if (!getSender().equals(getContext().getSystem().deadLetters())) {
                  getSender().tell(any, getSelf());
                }
              })
          .build();
    }
  }

  /** Tells another what it gets, and stops. */
  static final class Once extends AbstractActor {
    private final ActorRef next;

    Once(ActorRef next) {
      this.next = next;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              any -> {
                next.tell(any, ActorRef.noSender());
                getContext().stop(getSelf());
              })
          .build();
    }
  }
}
