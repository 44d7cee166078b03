// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.pattern.AskTimeoutException;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;

/** Trouble that should be told of. */
final class Troubles {
  /** Longer than a test that wants it to be too long says. */
  private static final long LONG_MILLIS = 2_000;

  private static final long SHORT_MILLIS = 100;
  private static final int QUEUED = 10;
  private static final int HELD = 3;

  private Troubles() {}

  static void addTo(Scenes all) {
    all.add("trouble-dead-letter", s -> deadLetters(s, 1));
    all.add("trouble-dead-letters", s -> deadLetters(s, 20));
    all.add("trouble-typed-dead-letter", Troubles::typedDeadLetter);
    all.add("trouble-stuck", Troubles::stuck);
    all.add("trouble-typed-stuck", Troubles::typedStuck);
    all.add("trouble-starved", Troubles::starved);
    all.add("trouble-queue", Troubles::queue);
    all.add("trouble-figures", Troubles::figures);
  }

  /**
   * 25 failures, 60 asks without an answer and one with a late one, 111 dead letters, and an actor
   * that is stuck beside them; then nothing until the JVM ends.
   */
  private static void figures(Stage stage) throws Exception {
    ActorRef stuck = stage.front("stuck", f -> new Semaphore(0).acquireUninterruptibly());
    stuck.tell(new Begin(), ActorRef.noSender());
    for (int i = 0; i < 60; i++) {
      outOfTime(stuck, new Ping());
    }
    ActorRef late = stage.actor(Props.create(Tardy.class, Tardy::new), "late");
    outOfTime(late, new Ping());
    stage.awaitTimers(); // Pekko ends the ask after it has told the asker
    late.tell(new Begin(), ActorRef.noSender()); // now it answers
    ActorRef frail = stage.front("frail", f -> fail(stage));
    for (int i = 0; i < 25; i++) {
      frail.tell(new Begin(), ActorRef.noSender());
    }
    stage.await(25);
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.end(back, "watcher");
    ActorRef front = stage.front("front", f -> flood(stage, back));
    front.tell(new Begin(), ActorRef.noSender());
    front.tell(new Begin(), ActorRef.noSender());
    stage.await(2);
    for (int i = 0; i < 30; i++) {
      back.tell(new Ping(), ActorRef.noSender());
    }
    System.out.println("@holding");
    new Semaphore(0).acquire(); // until the JVM is told to end
  }

  private static void outOfTime(ActorRef asked, Object question) throws InterruptedException {
    try {
      Patterns.ask(asked, question, Duration.ofMillis(30)).toCompletableFuture().get();
      throw new IllegalStateException("there was an answer");
    } catch (ExecutionException e) {
      if (!(e.getCause() instanceof AskTimeoutException)) {
        throw new IllegalStateException(e);
      }
    }
  }

  private static void fail(Stage stage) {
    stage.signal();
    throw new IllegalStateException("frail");
  }

  private static void flood(Stage stage, ActorRef back) {
    for (int i = 0; i < 40; i++) {
      back.tell(new Ping(), ActorRef.noSender());
    }
    stage.signal();
  }

  /** Answers with the message after the one that asked. */
  private static final class Tardy extends AbstractActor {
    private ActorRef asker = ActorRef.noSender();

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Ping.class, ping -> asker = getSender())
          .match(Begin.class, begin -> asker.tell(new Pong(), getSelf()))
          .build();
    }
  }

  private static void deadLetters(Stage stage, int count) throws Exception {
    ActorRef back = stage.actor(Echo.props(), "back");
    stage.end(back, "watcher");
    stage.begin(
        1,
        f -> {
          for (int i = 0; i < count; i++) {
            back.tell(new Ping(), f.getSelf());
          }
          stage.signal();
        });
  }

  private static void typedDeadLetter(Stage stage) throws Exception {
    var server = stage.typed(Server.create(), "server");
    stage.watch(Adapter.toClassic(server), "watcher");
    stage.system().stop(Adapter.toClassic(server));
    stage.await(1);
    stage.beginTyped(
        1,
        context -> {
          server.tell(new Server.Question(1, context.getSelf().narrow()));
          stage.signal();
        });
  }

  private static void typedStuck(Stage stage) throws Exception {
    stage.beginTyped(
        1,
        context -> {
          dawdle();
          stage.signal();
        });
  }

  private static void stuck(Stage stage) throws Exception {
    stage.begin(
        1,
        f -> {
          dawdle();
          stage.signal();
        });
  }

  /**
   * More actors hold on to a message than their dispatcher has threads; for so many milliseconds.
   */
  private static void starved(Stage stage) throws Exception {
    stage.with(
        """
        few {
          executor = thread-pool-executor
          thread-pool-executor.fixed-pool-size = 2
          throughput = 1
        }
        """);
    long millis = stage.argument().isEmpty() ? LONG_MILLIS : Long.parseLong(stage.argument());
    for (int i = 1; i <= HELD; i++) {
      stage.start(
          Front.props(
                  stage,
                  f -> {
                    dawdle(millis);
                    stage.signal();
                  })
              .withDispatcher("few"),
          "held-" + i);
    }
    if (!stage.argument().isEmpty()) {
      dawdle(millis); // longer than signals are awaited
    }
    stage.await(HELD);
  }

  /** None takes long, and the last has waited for all before. */
  private static void queue(Stage stage) throws Exception {
    ActorRef back = stage.actor(Props.create(Slow.class, stage), "back");
    stage.begin(
        QUEUED,
        f -> {
          for (int i = 0; i < QUEUED; i++) {
            back.tell(new Ping(), f.getSelf());
          }
        });
  }

  private static void dawdle() {
    dawdle(LONG_MILLIS);
  }

  private static void dawdle(long millis) {
    try {
      Thread.sleep(millis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Takes a while for each message, and signals. */
  static final class Slow extends AbstractActor {
    private final Stage stage;

    Slow(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              m -> {
                dawdle(SHORT_MILLIS);
                stage.signal();
              })
          .build();
    }
  }
}
