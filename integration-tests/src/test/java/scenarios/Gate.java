// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;

/** Keeps visitors waiting until it is opened. */
final class Gate {
  sealed interface Command {}

  record Enter(int number, ActorRef<Server.Answer> replyTo) implements Command {}

  record Open() implements Command {}

  private Gate() {}

  static Behavior<Command> create() {
    return Behaviors.withStash(
        10,
        stash ->
            Behaviors.receive(Command.class)
                .onMessage(
                    Enter.class,
                    e -> {
                      stash.stash(e);
                      return Behaviors.same();
                    })
                .onMessage(Open.class, o -> stash.unstashAll(open()))
                .build());
  }

  private static Behavior<Command> open() {
    return Behaviors.receive(Command.class)
        .onMessage(
            Enter.class,
            e -> {
              e.replyTo().tell(new Server.Answer(e.number()));
              return Behaviors.same();
            })
        .build();
  }
}
