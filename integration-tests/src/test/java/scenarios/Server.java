// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.AbstractBehavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Receive;
import org.apache.pekko.pattern.StatusReply;

/** Answers questions. */
final class Server extends AbstractBehavior<Server.Command> {
  sealed interface Command {}

  record Question(int number, ActorRef<Answer> replyTo) implements Command {}

  record StatusQuestion(ActorRef<StatusReply<Answer>> replyTo) implements Command {}

  record Ignored(ActorRef<Answer> replyTo) implements Command {}

  record Answer(int number) {}

  private Server(ActorContext<Command> context) {
    super(context);
  }

  static Behavior<Command> create() {
    return Behaviors.setup(Server::new);
  }

  @Override
  public Receive<Command> createReceive() {
    return newReceiveBuilder()
        .onMessage(
            Question.class,
            q -> {
              q.replyTo().tell(new Answer(q.number()));
              return this;
            })
        .onMessage(
            StatusQuestion.class,
            q -> {
              q.replyTo().tell(StatusReply.error("no status"));
              return this;
            })
        .onMessage(Ignored.class, i -> this)
        .build();
  }
}
