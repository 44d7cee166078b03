// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.apache.logging.log4j.core.async.AsyncLoggerContext;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.pekko.NotUsed;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.AbstractActorWithStash;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.event.Logging;
import org.apache.pekko.event.LoggingAdapter;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.routing.RoundRobinPool;
import org.apache.pekko.stream.javadsl.Sink;
import org.apache.pekko.stream.javadsl.Source;
import org.slf4j.LoggerFactory;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;
import scenarios.Messages.Pong;
import scenarios.Messages.Work;

/** Everything that is counted or stands at a level, made to be a known number. */
final class Levels {
  private static final String SETTINGS =
      """
      threads {
        type = Dispatcher
        executor = thread-pool-executor
        thread-pool-executor.fixed-pool-size = 2
      }
      joined {
        type = Dispatcher
        executor = fork-join-executor
        fork-join-executor { parallelism-min = 2, parallelism-max = 2 }
      }
      affine {
        type = Dispatcher
        executor = affinity-pool-executor
        affinity-pool-executor { parallelism-min = 1, parallelism-max = 1 }
      }
      virtual { type = Dispatcher, executor = virtual-thread-executor }
      pekko.loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger", "scenarios.Levels$OwnLogger"]
      small-mailbox {
        mailbox-type = "org.apache.pekko.dispatch.BoundedMailbox"
        mailbox-capacity = 5
        mailbox-push-timeout-time = 0s
      }
      """;

  private static final int QUEUED_ACTORS = 3;
  private static final int TO_THE_SMALL = 20;

  private Levels() {}

  static void addTo(Scenes all) {
    all.add("levels", Levels::all);
  }

  /** Stays as it is until a line is read. */
  private static void all(Stage stage) throws Exception {
    stage.with(SETTINGS);
    CountDownLatch end = new CountDownLatch(1);
    nobody(stage);
    asked(stage);
    logged(stage);
    loggedElsewhere(stage);
    routed(stage);
    stashed(stage);
    streams(stage);
    small(stage, end);
    occupied(stage, "threads", 2, end);
    occupied(stage, "joined", 2, end);
    occupied(stage, "affine", 1, end);
    if (Runtime.version().feature() >= 21) {
      stage.actor(Echo.props().withDispatcher("virtual"), "virtual-1");
      stage.actor(Echo.props().withDispatcher("virtual"), "virtual-2");
    }
    System.out.println("@holding");
    System.in.read();
    end.countDown();
  }

  /** As many actors at work as there are threads, and others that wait for one. */
  private static void occupied(Stage stage, String dispatcher, int threads, CountDownLatch end)
      throws Exception {
    for (int i = 0; i < threads; i++) {
      ActorRef busy = stage.actor(held(stage, end).withDispatcher(dispatcher), dispatcher + i);
      busy.tell(new Ping(), ActorRef.noSender());
      stage.await(1);
      busy.tell(new Ping(), ActorRef.noSender());
    }
    for (int i = 0; i < QUEUED_ACTORS; i++) {
      stage
          .actor(held(stage, end).withDispatcher(dispatcher), dispatcher + "-waits-" + i)
          .tell(new Ping(), ActorRef.noSender());
    }
  }

  /** Has room for five messages while it is at work on one. */
  private static void small(Stage stage, CountDownLatch end) throws Exception {
    ActorRef small = stage.actor(held(stage, end).withMailbox("small-mailbox"), "small");
    small.tell(new Ping(), ActorRef.noSender());
    stage.await(1);
    for (int i = 0; i < TO_THE_SMALL; i++) {
      small.tell(new Ping(), ActorRef.noSender());
    }
  }

  /** Two messages to an actor that has ended, three to one that never was, one not handled. */
  private static void nobody(Stage stage) throws Exception {
    ActorRef gone = stage.actor(Echo.props(), "gone");
    stage.end(gone, "mourner");
    gone.tell(new Ping(), ActorRef.noSender());
    gone.tell(new Ping(), ActorRef.noSender());
    for (int i = 0; i < 3; i++) {
      stage.system().actorSelection("/user/nobody").tell(new Ping(), ActorRef.noSender());
    }
    stage.start(Echo.props(), "deaf");
  }

  /** Two questions with an answer, and one whose answer comes when nobody waits any more. */
  private static void asked(Stage stage) throws Exception {
    ActorRef echo = stage.actor(Echo.props(), "asked");
    for (int i = 0; i < 2; i++) {
      Patterns.ask(echo, new Ping(), Stage.PATIENCE).toCompletableFuture().join();
    }
    ActorRef late = stage.actor(Props.create(Late.class, () -> new Late(stage)), "late");
    try {
      Patterns.ask(late, new Ping(), Duration.ofMillis(50)).toCompletableFuture().join();
      throw new AssertionError("that was to fail");
    } catch (CompletionException e) {
      stage.awaitTimers();
      late.tell(new Begin(), ActorRef.noSender());
      stage.await(1);
    }
  }

  private static void logged(Stage stage) {
    LoggingAdapter log = Logging.getLogger(stage.system(), "scenarios.levels");
    log.error("one of one");
    for (int i = 0; i < 2; i++) {
      log.warning("one of two");
    }
    for (int i = 0; i < 3; i++) {
      log.info("one of three");
    }
    log.debug("not on");
  }

  /** In actors past Pekko's own logging, and outside of all. */
  private static void loggedElsewhere(Stage stage) throws Exception {
    stage.typed(chatty(stage), "chatty").tell(new Ping());
    ch.qos.logback.classic.Logger fine =
        (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("scenarios.fine");
    fine.setLevel(ch.qos.logback.classic.Level.TRACE);
    fine.error("of no actor");
    stage.start(
        "fine",
        f -> {
          times(2, () -> fine.debug("one of two"));
          times(3, () -> fine.trace("one of three"));
          stage.signal();
        });
    stage.await(2);
    log4j(stage);
  }

  private static void log4j(Stage stage) throws Exception {
    Configurator.setLevel("scenarios.log4j", Level.INFO);
    Logger log = LogManager.getLogger("scenarios.log4j");
    log.fatal("of no actor");
    AsyncLoggerContext queued = new AsyncLoggerContext("queued");
    queued.start();
    stage.start(
        "log4j",
        f -> {
          log.fatal("as bad as an error");
          log.error("one of one");
          times(3, () -> log.warn("one of three"));
          log.atInfo().log("one of one");
          log.debug("not on");
          queued.getLogger("scenarios.queued").error("one of one");
          stage.signal();
        });
    stage.await(1);
    queued.stop();
  }

  private static Behavior<Ping> chatty(Stage stage) {
    return Behaviors.setup(
        context -> {
          context.setLoggerName("scenarios.chatty");
          return Behaviors.receiveMessage(
              ping -> {
                times(2, () -> context.getLog().error("one of two"));
                context.getLog().warn("one of {}", "one");
                times(4, () -> context.getLog().atInfo().log("one of four"));
                context.getLog().debug("not on");
                stage.signal();
                return Behaviors.same();
              });
        });
  }

  private static void times(int count, Runnable body) {
    for (int i = 0; i < count; i++) {
      body.run();
    }
  }

  private static void routed(Stage stage) {
    stage.actor(new RoundRobinPool(3).props(Echo.props()), "pool");
  }

  private static void stashed(Stage stage) throws Exception {
    ActorRef hoarder = stage.actor(Props.create(Hoarder.class, () -> new Hoarder(stage)), "hoard");
    for (int i = 0; i < 4; i++) {
      hoarder.tell(new Work(i), ActorRef.noSender());
    }
    stage.await(4);
  }

  /** One that has come to its end, and two that wait for their first element. */
  private static void streams(Stage stage) {
    Source.range(1, 10)
        .map(i -> i + 1)
        .runWith(Sink.ignore(), stage.system())
        .toCompletableFuture()
        .join();
    for (int i = 0; i < 2; i++) {
      Source.<NotUsed>maybe().to(Sink.ignore()).run(stage.system());
    }
  }

  private static Props held(Stage stage, CountDownLatch end) {
    return Props.create(Held.class, () -> new Held(stage, end));
  }

  /** Hands on what was logged by Pekko's logging, as the application likes it. */
  static final class OwnLogger extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Logging.InitializeLogger.class,
              i -> getSender().tell(Logging.loggerInitialized(), getSelf()))
          .match(
              Logging.LogEvent.class,
              e -> LoggerFactory.getLogger("scenarios.own").info("{}", e.message()))
          .build();
    }
  }

  /** Is at work until the end. */
  static final class Held extends AbstractActor {
    private final Stage stage;
    private final CountDownLatch end;

    Held(Stage stage, CountDownLatch end) {
      this.stage = stage;
      this.end = end;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Ping.class,
              p -> {
                stage.signal();
                end.await();
              })
          .build();
    }
  }

  /** Answers when it is told to. */
  static final class Late extends AbstractActor {
    private final Stage stage;
    private ActorRef asker = ActorRef.noSender();

    Late(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(Ping.class, p -> asker = getSender())
          .match(
              Begin.class,
              b -> {
                asker.tell(new Pong(), getSelf());
                stage.signal();
              })
          .build();
    }
  }

  static final class Hoarder extends AbstractActorWithStash {
    private final Stage stage;

    Hoarder(Stage stage) {
      this.stage = stage;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              Work.class,
              w -> {
                stash();
                stage.signal();
              })
          .build();
    }
  }
}
