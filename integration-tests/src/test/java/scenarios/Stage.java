// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.Terminated;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import scenarios.Messages.Begin;

/** The tools of a scenario: */
final class Stage implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int SIGNALS_WITHIN_SECONDS = 60;

  private static final String SETTINGS =
      """
      pekko.loglevel = INFO
      pekko.stdout-loglevel = OFF
      pekko.loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
      pekko.logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
      pekko.log-dead-letters = off
      pekko.log-dead-letters-during-shutdown = off
      pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
      pekko.actor.default-dispatcher.executor = fork-join-executor
      pekko.actor.default-dispatcher.fork-join-executor.parallelism-min = 2
      pekko.actor.default-dispatcher.fork-join-executor.parallelism-max = 4
      """;

  private final String name;
  private final String argument;
  private final Semaphore signals = new Semaphore(0);
  private String settings = SETTINGS;
  private ActorSystem system;

  Stage(String name, String argument) {
    this.name = name;
    this.argument = argument;
  }

  String name() {
    return name;
  }

  String argument() {
    return argument;
  }

  /** Adds settings; to be called before the system is used. */
  Stage with(String hocon) {
    settings += hocon + "\n";
    return this;
  }

  Config config() {
    return ConfigFactory.parseString(settings).withFallback(ConfigFactory.load());
  }

  ActorSystem system() {
    if (system == null) {
      system = ActorSystem.create(name, config());
    }
    return system;
  }

  ActorRef actor(Props props, String named) {
    return system().actorOf(props, named);
  }

  <T> org.apache.pekko.actor.typed.ActorRef<T> typed(Behavior<T> behavior, String named) {
    return Adapter.spawn(system(), behavior, named);
  }

  /** An actor that does this with {@link Begin}, and signals all else. */
  ActorRef front(String named, Consumer<Front> begin) {
    return actor(Front.props(this, begin), named);
  }

  /** Makes an actor, and has it begin. */
  void start(Props props, String named) {
    actor(props, named).tell(new Begin(), ActorRef.noSender());
  }

  void start(String named, Consumer<Front> begin) {
    start(Front.props(this, begin), named);
  }

  /** Has a front do this, and waits for as many signals. */
  void begin(int signals, Consumer<Front> begin) throws InterruptedException {
    start("front", begin);
    await(signals);
  }

  /** The same with a typed front. */
  void beginTyped(
      int signals, Consumer<org.apache.pekko.actor.typed.javadsl.ActorContext<Object>> begin)
      throws InterruptedException {
    typed(Front.typed(this, begin), "front").tell(new Begin());
    await(signals);
  }

  /** Has an actor of this name signal when another has ended. */
  void watch(ActorRef watched, String named) {
    actor(Props.create(Watcher.class, () -> new Watcher(this, watched)), named);
  }

  /** Ends an actor, and waits until one of this name has seen it. */
  void end(ActorRef actor, String named) throws InterruptedException {
    watch(actor, named);
    actor.tell(PoisonPill.getInstance(), ActorRef.noSender());
    await(1);
  }

  /** Called by actors, or whoever else takes part. */
  void signal() {
    Tool.seen(Tool.token());
    signals.release();
  }

  /** The same, where it says itself in which trace it is. */
  void count() {
    signals.release();
  }

  void await(int count) throws InterruptedException {
    if (!signals.tryAcquire(count, SIGNALS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
      throw new IllegalStateException(
          name + ": waited in vain for " + count + " signals, had " + signals.availablePermits());
    }
  }

  /** Returns when what the timers' thread is at now is over: the end of a question, say. */
  void awaitTimers() throws InterruptedException {
    system()
        .scheduler()
        .scheduleOnce(
            Duration.ofMillis(1),
            this::signal,
            scala.concurrent.ExecutionContext.fromExecutor(Runnable::run));
    await(1);
  }

  @Override
  public void close() throws Exception {
    if (system != null) {
      system.terminate();
      system.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
    }
  }

  static final class Watcher extends AbstractActor {
    private final Stage stage;

    Watcher(Stage stage, ActorRef watched) {
      this.stage = stage;
      getContext().watch(watched);
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Terminated.class, t -> stage.signal()).build();
    }
  }
}
