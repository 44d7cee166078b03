// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.Serializable;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.typed.ActorRef;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.ActorContext;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.AskPattern;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.pattern.StatusReply;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Open;

/** The same as {@link AskHistory} for typed actors, and what adapters adapt. */
final class TypedAskHistory {
  private static final int QUESTIONS = 70;
  private static final Duration SHORT = Duration.ofMillis(30);

  private TypedAskHistory() {}

  /** Answered by {@link Done}, or by what says that it was refused. */
  record Question(int number, ActorRef<Object> replyTo) implements Serializable {}

  record Checked(int number, ActorRef<StatusReply<Done>> replyTo) implements Serializable {}

  /** The answers for the asker, however it asked. */
  record Result(String text) implements Serializable {}

  static void run(Stage stage, Book book) throws Exception {
    ActorRef<Object> answerer = stage.typed(answerer(book), "answerer");
    stage.typed(asker(book, answerer), "asker").tell(new Open());
    stage.await(1);
    Object answer =
        AskPattern.<Object, Object>ask(
                answerer,
                to -> new Question(0, to),
                Stage.PATIENCE,
                Adapter.toTyped(stage.system()).scheduler())
            .toCompletableFuture()
            .get();
    book.write("outside", answer.toString());
  }

  private static Behavior<Object> asker(Book book, ActorRef<Object> answerer) {
    return Behaviors.setup(
        context -> {
          String me = context.getSelf().path().toStringWithoutAddress();
          ActorRef<Object> adapter =
              context.messageAdapter(Object.class, m -> new Result("adapted " + m));
          int[] asked = {0};
          return Behaviors.receive(Object.class)
              .onMessage(
                  Open.class,
                  o -> {
                    ask(context, answerer, adapter, 0);
                    return Behaviors.same();
                  })
              .onMessage(
                  Result.class,
                  r -> {
                    book.write(me, r.text());
                    if (++asked[0] < QUESTIONS) {
                      ask(context, answerer, adapter, asked[0]);
                    } else {
                      book.signal();
                    }
                    return Behaviors.same();
                  })
              .build();
        });
  }

  private static void ask(
      ActorContext<Object> context,
      ActorRef<Object> answerer,
      ActorRef<Object> adapter,
      int number) {
    switch (number % 7) {
      case 1 ->
          context.askWithStatus(
              Done.class,
              answerer,
              Stage.PATIENCE,
              to -> new Checked(number, to),
              TypedAskHistory::result);
      case 3 -> answerer.tell(new Question(number, adapter));
      case 4 ->
          context.pipeToSelf(
              CompletableFuture.supplyAsync(() -> "piped " + number), TypedAskHistory::result);
      case 5 ->
          context.pipeToSelf(
              CompletableFuture.supplyAsync(
                  () -> {
                    throw new IllegalStateException("stage " + number);
                  }),
              TypedAskHistory::result);
      default ->
          context.ask(
              Object.class,
              answerer,
              number % 7 == 2 ? SHORT : Stage.PATIENCE,
              to -> new Question(number, to),
              TypedAskHistory::result);
    }
  }

  private static Result result(Object answer, Throwable failure) {
    return new Result(
        failure == null
            ? answer.toString()
            : failure instanceof StatusReply.ErrorMessage e
                ? "refused " + e.getMessage()
                : "failed " + AskHistory.root(failure));
  }

  private static Behavior<Object> answerer(Book book) {
    return Behaviors.setup(
        context -> {
          String me = context.getSelf().path().toStringWithoutAddress();
          Question[] late = {null};
          return Behaviors.receive(Object.class)
              .onMessage(
                  Question.class,
                  q -> {
                    book.write(me, "asked " + q.number());
                    if (late[0] != null) {
                      late[0].replyTo().tell(new Boom("too late for " + late[0].number()));
                      late[0] = null;
                    }
                    if (q.number() % 7 == 2) {
                      late[0] = q;
                    } else {
                      q.replyTo().tell(new Done(q.number()));
                    }
                    return Behaviors.same();
                  })
              .onMessage(
                  Checked.class,
                  c -> {
                    book.write(me, "to be checked " + c.number());
                    c.replyTo()
                        .tell(
                            c.number() % 2 == 0
                                ? StatusReply.success(new Done(c.number()))
                                : StatusReply.error("odd " + c.number()));
                    return Behaviors.same();
                  })
              .build();
        });
  }
}
