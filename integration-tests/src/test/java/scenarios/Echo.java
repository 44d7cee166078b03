// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Status;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Work;

/**
 * Answers: a ping by a pong, work by its number, a boom by a failure that it says and does not
 * have.
 */
final class Echo extends AbstractActor {
  static Props props() {
    return Props.create(Echo.class);
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Ping.class, p -> getSender().tell(new Pong(), getSelf()))
        .match(Mailboxes.Urgent.class, u -> getSender().tell(new Pong(), getSelf()))
        .match(Work.class, w -> getSender().tell(new Done(w.number()), getSelf()))
        .match(
            Boom.class,
            b ->
                getSender()
                    .tell(new Status.Failure(new IllegalStateException(b.text())), getSelf()))
        .build();
  }
}
