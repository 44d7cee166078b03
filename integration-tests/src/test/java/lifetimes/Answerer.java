// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package lifetimes;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;

/** Answers each word by the same word. */
final class Answerer extends AbstractActor {
  static Props props() {
    return Props.create(Answerer.class, Answerer::new);
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder().matchAny(word -> getSender().tell(word, getSelf())).build();
  }
}
