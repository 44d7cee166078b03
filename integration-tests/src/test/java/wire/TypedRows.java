// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import java.time.Duration;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import wire.Messages.Begin;
import wire.Messages.Done;
import wire.Services.Question;

/** Ways in which typed actors send to another node. */
public final class TypedRows {
  private TypedRows() {}

  public static void addTo(Rows all) {
    all.add(
        "typed-tell",
        stage -> front(stage, TypedRows::tell),
        """
              process Begin at a/user/typed-tell
                process Question at b/user/typed
                  process Done at a/user/typed-tell
              """);
    all.add(
        "typed-forward",
        stage -> front(stage, TypedRows::forward),
        """
              process Begin at a/user/typed-forward
                process Question at a/user/typed-forward/middle
                  process Question at b/user/typed
                    process Done at a/user/typed-forward
              """);
    all.add(
        "typed-adapter",
        stage -> front(stage, TypedRows::adapter),
        """
              process Begin at a/user/typed-adapter
                process Question at b/user/typed
                  process Adapted at a/user/typed-adapter
              """);
    all.add(
        "typed-ask",
        stage -> front(stage, TypedRows::ask),
        """
              process Begin at a/user/typed-ask
                ask Question at a/user/typed
                  process Question at b/user/typed
                process Adapted at a/user/typed-ask
              """);
    all.like("typed-ask", "typed-ask-pattern", stage -> front(stage, TypedRows::askPattern));
    all.add(
        "typed-ask-timeout",
        stage -> front(stage, TypedRows::askTimeout),
        """
              process Begin at a/user/typed-ask-timeout
                ask Question at a/user/typed ! timeout
                  process Question at b/user/typed
                process Adapted at a/user/typed-ask-timeout
              """);
  }

  /** An answer, or what there is in place of one, as an actor tells it to itself. */
  record Adapted(int number) {}

  /** The work of a row inside of its actor. */
  private interface Step {
    void run(ActorContext<Object> context, ActorRef<Question> there);
  }

  private static void tell(ActorContext<Object> context, ActorRef<Question> there) {
    there.tell(new Question(1, context.getSelf().narrow()));
  }

  private static void forward(ActorContext<Object> context, ActorRef<Question> there) {
    ActorRef<Question> middle =
        context.spawn(
            Behaviors.receiveMessage(
                question -> {
                  there.tell(question);
                  return Behaviors.same();
                }),
            "middle");
    middle.tell(new Question(1, context.getSelf().narrow()));
  }

  private static void adapter(ActorContext<Object> context, ActorRef<Question> there) {
    there.tell(
        new Question(1, context.messageAdapter(Done.class, done -> new Adapted(done.number()))));
  }

  private static void ask(ActorContext<Object> context, ActorRef<Question> there) {
    context.ask(
        Done.class,
        there,
        Stage.PATIENCE,
        (ActorRef<Done> replyTo) -> new Question(1, replyTo),
        (done, failure) -> new Adapted(1));
  }

  private static void askPattern(ActorContext<Object> context, ActorRef<Question> there) {
    context.pipeToSelf(
        AskPattern.<Question, Done>ask(
            there,
            replyTo -> new Question(1, replyTo),
            Stage.PATIENCE,
            context.getSystem().scheduler()),
        (done, failure) -> new Adapted(1));
  }

  /** Asks what the other does not answer. */
  private static void askTimeout(ActorContext<Object> context, ActorRef<Question> there) {
    context.ask(
        Done.class,
        there,
        Duration.ofMillis(200),
        (ActorRef<Done> replyTo) -> new Question(Question.SILENT, replyTo),
        (done, failure) -> new Adapted(1));
  }

  private static void front(Stage stage, Step step) throws Exception {
    ActorRef<Question> there = Adapter.toTyped(stage.remote("/user/typed"));
    Adapter.spawn(stage.system(), behavior(stage, step, there), stage.row()).tell(new Begin());
    stage.await(1);
  }

  private static Behavior<Object> behavior(Stage stage, Step step, ActorRef<Question> there) {
    return Behaviors.receive(
        (context, message) -> {
          if (message instanceof Begin) {
            step.run(context, there);
          } else {
            stage.signal();
          }
          return Behaviors.same();
        });
  }
}
