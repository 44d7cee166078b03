// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import static scenarios.WholeHistories.sentBy;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Status;
import org.apache.pekko.dispatch.Futures;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Boom;
import scenarios.Messages.Done;
import scenarios.Messages.Open;
import scenarios.Messages.Work;

/** Questions that are answered, handed on, refused, answered too late; and what is piped. */
final class AskHistory {
  private static final int QUESTIONS = 72;
  private static final int AT_ONCE = 60;
  private static final Duration SHORT = Duration.ofMillis(30);

  private AskHistory() {}

  static void run(Stage stage, Book book) throws Exception {
    ActorRef answerer = stage.actor(Props.create(Answerer.class, book), "answerer");
    ActorRef other = stage.actor(Props.create(Other.class, book, answerer), "other");
    ActorRef asker = stage.actor(Props.create(Asker.class, book, answerer, other), "asker");
    asker.tell(new Open(), ActorRef.noSender());
    stage.await(1 + AT_ONCE);
    Object answer = Patterns.ask(other, new Work(0), Stage.PATIENCE).toCompletableFuture().get();
    book.write("outside", answer.toString());
  }

  /** Asks one after the other, each in its way, and then many at once. */
  static final class Asker extends AbstractActor {
    private final Book book;
    private final ActorRef answerer;
    private final ActorRef other;
    private int asked;

    Asker(Book book, ActorRef answerer, ActorRef other) {
      this.book = book;
      this.answerer = answerer;
      this.other = other;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Open.class, o -> ask(0))
          .match(Many.class, m -> many(m))
          .match(Status.Failure.class, f -> next("failed " + root(f.cause())))
          .matchAny(m -> next(m.toString()))
          .build();
    }

    /** The order of the sixty is nobody's promise. */
    private void many(Many many) {
      book.writeUnordered("/user/asker", many.answer() + sentBy(getSender()));
      book.signal();
    }

    private void next(String answer) {
      book.write(getSelf(), answer + sentBy(getSender()));
      if (++asked < QUESTIONS) {
        ask(asked);
        return;
      }
      for (int i = 0; i < AT_ONCE; i++) {
        pipe(
            Patterns.ask(i % 2 == 0 ? answerer : other, new Work(QUESTIONS + 8 * i), Stage.PATIENCE)
                .thenApply(Many::new),
            answerer);
      }
      book.signal();
    }

    private void ask(int number) {
      Work work = new Work(number);
      switch (number % 8) {
        case 1 -> pipe(Patterns.ask(other, work, Stage.PATIENCE), other);
        case 2 -> pipe(Patterns.ask(answerer, work, SHORT), getSelf());
        case 3 ->
            Patterns.pipe(
                    Futures.<Object>failed(new IllegalStateException("future " + number)),
                    getContext().getDispatcher())
                .to(getSelf(), answerer);
        case 4 ->
            pipe(
                CompletableFuture.supplyAsync(
                    () -> {
                      throw new IllegalStateException("stage " + number);
                    }),
                getSelf());
        case 6 ->
            pipe(
                Patterns.ask(getContext().actorSelection("../answerer"), work, Stage.PATIENCE),
                answerer);
        case 7 -> {
          ActorRef self = getSelf();
          var unused =
              Patterns.ask(answerer, work, Stage.PATIENCE)
                  .thenAccept(answer -> self.tell("then " + answer, answerer));
        }
        default -> pipe(Patterns.ask(answerer, work, Stage.PATIENCE), answerer);
      }
    }

    private void pipe(CompletionStage<?> answer, ActorRef as) {
      Patterns.pipe(answer, getContext().getDispatcher()).to(getSelf(), as);
    }
  }

  static String root(Throwable failure) {
    Throwable root = failure instanceof CompletionException e ? e.getCause() : failure;
    return root.getClass().getSimpleName()
        + (root instanceof IllegalStateException e ? " " + e.getMessage() : "");
  }

  record Many(Object answer) implements java.io.Serializable {}

  /** Refuses some; others it answers only after the next, when nobody waits any more. */
  static final class Answerer extends AbstractActor {
    private final Book book;
    private Work late;
    private ActorRef waits;

    Answerer(Book book) {
      this.book = book;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Work.class, this::answer).build();
    }

    private void answer(Work work) {
      if (work.number() < QUESTIONS && work.number() > 0) {
        book.write(getSelf(), work + sentBy(getSender()));
      } else {
        book.writeUnordered("/user/answerer", work + sentBy(getSender()));
      }
      if (late != null) {
        waits.tell(new Boom("too late for " + late.number()), getSelf());
        late = null;
      }
      switch (work.number() % 8) {
        case 2 -> {
          late = work;
          waits = getSender();
        }
        case 5 ->
            getSender()
                .tell(
                    new Status.Failure(new IllegalStateException("refused " + work.number())),
                    getSelf());
        default -> getSender().tell(new Done(work.number()), getSelf());
      }
    }
  }

  /** Hands questions on. */
  static final class Other extends AbstractActor {
    private final Book book;
    private final ActorRef to;

    Other(Book book, ActorRef to) {
      this.book = book;
      this.to = to;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                book.writeUnordered("/user/other", w + sentBy(getSender()));
                to.forward(w, getContext());
              })
          .build();
    }
  }
}
