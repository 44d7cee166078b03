// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import com.typesafe.config.ConfigFactory;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.io.IOException;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSelection;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardCoordinator;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.pattern.CircuitBreaker;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.persistence.AbstractPersistentActor;
import org.apache.pekko.persistence.AtomicWrite;
import org.apache.pekko.persistence.PersistentRepr;
import org.apache.pekko.persistence.journal.japi.AsyncWriteJournal;
import scala.concurrent.ExecutionContext;
import scala.concurrent.Future;
import scala.jdk.javaapi.FutureConverters;

/**
 * An application that does wrong whatever an alert is about, again and again, until the JVM ends.
 */
final class Alarms {
  private static final int LONG_QUEUE = 11_000;
  private static final int MORE_EACH_ROUND = 20;
  private static final int FOR_NOBODY = 1_500;
  private static final int TOO_LARGE = 100_000;
  private static final int MUCH = 6_000;

  private Alarms() {}

  static void addTo(Scenes all) {
    all.add("alarms", Alarms::everything);
  }

  private static void everything(Stage stage) throws Exception {
    stage.with(
        """
        pekko.actor.provider = cluster
        pekko.remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
        pekko.remote.artery.advanced.maximum-frame-size = 64 KiB
        pekko.cluster.sharding.handoff-timeout = 1s
        pekko.actor.allow-java-serialization = on
        pekko.actor.warn-about-java-serializer-usage = off
        pekko.persistence.journal.plugin = "alarms.journal"
        alarms.journal.class = "scenarios.Alarms$Journal"
        pekko.projection.jdbc.dialect = "h2-dialect"
        pekko.projection.jdbc.blocking-jdbc-dispatcher.thread-pool-executor.fixed-pool-size = 2
        pekko.projection.restart-backoff { min-backoff = 1s, max-backoff = 2s }
        alarms.alone { type = PinnedDispatcher, executor = thread-pool-executor }
        alarms.narrow {
          type = Dispatcher
          executor = thread-pool-executor
          thread-pool-executor.fixed-pool-size = 1
        }
        alarms.full {
          mailbox-type = "org.apache.pekko.dispatch.BoundedMailbox"
          mailbox-capacity = 5
          mailbox-push-timeout-time = 0s
        }
        """);
    ActorSystem system = stage.system();
    Cluster.get(system).join(Cluster.get(system).selfAddress());
    List<Consumer<Integer>> wrongs = new ArrayList<>();
    wrongs.add(actors(stage));
    wrongs.add(asks(stage));
    wrongs.add(dispatchers(stage));
    wrongs.add(sharding(system));
    wrongs.add(persistence(stage));
    wrongs.add(loop(stage));
    Projecting.alarms(stage);
    wrongs.add(network(stage));
    Thread driver =
        new Thread(
            () -> {
              for (int round = 0; ; round++) {
                int now = round;
                wrongs.forEach(wrong -> wrong.accept(now));
                try {
                  Thread.sleep(50); // so that it goes on for as long as it is looked at
                } catch (InterruptedException e) {
                  return;
                }
              }
            },
            "alarms");
    driver.setDaemon(true);
    driver.start();
    System.out.println("@alarms " + Cluster.get(system).selfAddress());
    Thread.sleep(Long.MAX_VALUE); // until the JVM is told to end
  }

  /** Takes as long as a message says. */
  static final class Sleeper extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().match(Long.class, Thread::sleep).build();
    }
  }

  static final class Failing extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              m -> {
                throw new IllegalStateException("on purpose");
              })
          .build();
    }
  }

  static final class Mute extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> {}).build();
    }
  }

  private static Consumer<Integer> actors(Stage stage) {
    Props sleeper = Props.create(Sleeper.class).withDispatcher("alarms.alone");
    ActorRef slow = stage.actor(sleeper, "slow");
    ActorRef full = stage.actor(sleeper.withMailbox("alarms.full"), "full");
    ActorRef failing = stage.actor(Props.create(Failing.class), "failing");
    ActorRef gone = stage.actor(Props.create(Mute.class), "gone");
    gone.tell(PoisonPill.getInstance(), ActorRef.noSender());
    for (int i = 0; i < LONG_QUEUE; i++) {
      slow.tell(2_000L, ActorRef.noSender());
    }
    return round -> {
      for (int i = 0; i < MORE_EACH_ROUND; i++) {
        slow.tell(2_000L, ActorRef.noSender());
      }
      full.tell(2_000L, ActorRef.noSender());
      failing.tell("m", ActorRef.noSender());
      gone.tell("m", ActorRef.noSender());
    };
  }

  private static Consumer<Integer> asks(Stage stage) {
    ActorRef mute = stage.actor(Props.create(Mute.class), "mute");
    CircuitBreaker breaker =
        CircuitBreaker.create(
            stage.system().scheduler(), 1, Duration.ofSeconds(1), Duration.ofHours(1));
    return round -> {
      Patterns.ask(mute, "m", Duration.ofMillis(100));
      breaker.callWithCircuitBreakerCS(
          () -> CompletableFuture.failedFuture(new IllegalStateException("on purpose")));
    };
  }

  private static Consumer<Integer> dispatchers(Stage stage) {
    Props narrow = Props.create(Sleeper.class).withDispatcher("alarms.narrow");
    List<ActorRef> pair = List.of(stage.actor(narrow, "one"), stage.actor(narrow, "other"));
    ExecutionContext timers = ExecutionContext.fromExecutor(Runnable::run);
    return round -> {
      if (round % 20 == 0) {
        pair.forEach(sleeper -> sleeper.tell(900L, ActorRef.noSender()));
        stage.system().scheduler().scheduleOnce(Duration.ofMillis(1), Alarms::sleep, timers);
      }
    };
  }

  /** On the thread of the timers. */
  private static void sleep() {
    try {
      Thread.sleep(400);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Does not stop when told to. */
  static final class Stubborn extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(m -> {}).build();
    }
  }

  private static ShardRegion.MessageExtractor byText() {
    return new ShardRegion.HashCodeMessageExtractor(4) {
      @Override
      public String entityId(Object message) {
        return message.toString();
      }
    };
  }

  /** A region that nobody has, and one whose shards are asked to leave and do not. */
  private static Consumer<Integer> sharding(ActorSystem system) {
    ClusterSharding sharding = ClusterSharding.get(system);
    ActorRef nowhere = sharding.startProxy("nowhere", Optional.of("nobody"), byText());
    for (int i = 0; i < FOR_NOBODY; i++) {
      nowhere.tell("m" + i, ActorRef.noSender());
    }
    ActorRef stubborn =
        sharding.start(
            "stubborn",
            Props.create(Stubborn.class),
            ClusterShardingSettings.create(system),
            byText(),
            new ShardCoordinator.LeastShardAllocationStrategy(1, 1),
            "leave");
    return round -> {
      if (round < 100) {
        stubborn.tell("m" + round % 8, ActorRef.noSender());
      } else if (round == 100) {
        stubborn.tell(ShardRegion.gracefulShutdownInstance(), ActorRef.noSender());
      }
    };
  }

  record Event(String text) implements Serializable {}

  static final class Keeper extends AbstractPersistentActor {
    private final String id;

    Keeper(String id) {
      this.id = id;
    }

    @Override
    public String persistenceId() {
      return id;
    }

    @Override
    public Receive createReceiveRecover() {
      return receiveBuilder().matchAny(m -> {}).build();
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().match(String.class, m -> persist(new Event(m), e -> {})).build();
    }
  }

  /** Takes its time, or fails if the id says so. */
  public static final class Journal extends AsyncWriteJournal {
    private static final Executor LATER =
        CompletableFuture.delayedExecutor(1500, TimeUnit.MILLISECONDS);

    @Override
    public Future<Iterable<Optional<Exception>>> doAsyncWriteMessages(
        Iterable<AtomicWrite> messages) {
      boolean broken = messages.iterator().next().persistenceId().startsWith("broken");
      return FutureConverters.asScala(
          broken
              ? CompletableFuture.failedFuture(new IllegalStateException("on purpose"))
              : CompletableFuture.supplyAsync(
                  () -> {
                    List<Optional<Exception>> all = new ArrayList<>();
                    messages.forEach(m -> all.add(Optional.empty()));
                    return (Iterable<Optional<Exception>>) all;
                  },
                  LATER));
    }

    @Override
    public Future<Void> doAsyncDeleteMessagesTo(String persistenceId, long toSequenceNr) {
      return FutureConverters.asScala(CompletableFuture.completedFuture((Void) null));
    }

    @Override
    public Future<Void> doAsyncReplayMessages(
        String persistenceId,
        long fromSequenceNr,
        long toSequenceNr,
        long max,
        Consumer<PersistentRepr> replayCallback) {
      return FutureConverters.asScala(CompletableFuture.completedFuture((Void) null));
    }

    @Override
    public Future<Long> doAsyncReadHighestSequenceNr(String persistenceId, long fromSequenceNr) {
      return FutureConverters.asScala(CompletableFuture.completedFuture(0L));
    }
  }

  private static Consumer<Integer> persistence(Stage stage) {
    ActorRef slow = stage.actor(Props.create(Keeper.class, "slow"), "slow-keeper");
    return round -> {
      if (round % 40 == 0) {
        slow.tell("m", ActorRef.noSender());
        String broken = "broken-" + round;
        stage.actor(Props.create(Keeper.class, broken), broken).tell("m", ActorRef.noSender());
      }
    };
  }

  /**
   * Another actor system behind a connection that breaks every two seconds. It is sent messages
   * that are too large for a frame, and baggage that is too large for a header.
   */
  private static Consumer<Integer> network(Stage stage) throws IOException {
    BreakingProxy proxy = new BreakingProxy();
    ActorSystem peer =
        ActorSystem.create(
            "alarms-peer",
            ConfigFactory.parseString(
                    "pekko.remote.artery { canonical.port = %d, bind { hostname = \"127.0.0.1\", port = %d } }"
                        .formatted(proxy.port(), proxy.behind()))
                .withFallback(stage.config()));
    peer.actorOf(Props.create(Mute.class), "mute");
    ActorSelection far =
        stage
            .system()
            .actorSelection("pekko://alarms-peer@127.0.0.1:" + proxy.port() + "/user/mute");
    Baggage much = Baggage.builder().put("much", "x".repeat(MUCH)).build();
    return round -> {
      if (round % 10 == 0) {
        far.tell(new byte[TOO_LARGE], ActorRef.noSender());
        try (Scope scope = Context.current().with(much).makeCurrent()) {
          far.tell("m", ActorRef.noSender());
        }
      }
      if (round % 40 == 0) {
        proxy.breakAll();
      }
    };
  }

  /** Tells itself, without an end. */
  static final class Endless extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchAny(
              m -> {
                Thread.sleep(2);
                getSelf().tell(m, getSelf());
              })
          .build();
    }
  }

  private static Consumer<Integer> loop(Stage stage) {
    ActorRef endless =
        stage.actor(Props.create(Endless.class).withDispatcher("alarms.alone"), "endless");
    return round -> {
      if (round == 0) {
        endless.tell("m", ActorRef.noSender());
      }
    };
  }
}
