// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.DispatcherSelector;
import org.apache.pekko.actor.typed.javadsl.Adapter;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
import org.apache.pekko.actor.typed.javadsl.Routers;
import org.apache.pekko.actor.typed.receptionist.Receptionist;
import org.apache.pekko.actor.typed.receptionist.ServiceKey;
import org.apache.pekko.pattern.CircuitBreaker;
import org.apache.pekko.routing.RoundRobinPool;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;
import scenarios.Messages.Work;

/** Parts of Pekko that have metrics of their own, each used a known number of times. */
final class Parts {
  private static final String SETTINGS =
      """
      pinned { type = PinnedDispatcher, executor = thread-pool-executor }
      virtual { type = Dispatcher, executor = virtual-thread-executor }
      routing { type = PinnedDispatcher, executor = thread-pool-executor }
      pekko.circuit-breaker.payments {
        max-failures = 1
        call-timeout = 10s
        reset-timeout = 1s
      }
      """;

  private static final int PINNED = 3;
  private static final int STASHED = 3;

  /** The first of them is timed, and the last. */
  private static final int ROUTED = 65;

  private static final int ROUTED_TWICE_TIMED = 2 * 64;

  private static final int ROUTEES = 2;

  private Parts() {}

  static void addTo(Scenes all) {
    all.add("parts", Parts::all);
  }

  /** Stays as it is until a line is read. */
  private static void all(Stage stage) throws Exception {
    stage.with(SETTINGS);
    named(stage);
    CircuitBreaker open = unnamed(stage);
    router(stage);
    typedRouter(stage);
    group(stage);
    stash(stage);
    for (int i = 0; i < PINNED; i++) {
      talk(stage, "pinned", "pinned-" + i);
    }
    if (Runtime.version().feature() >= 21) {
      talk(stage, "virtual", "virtual");
    }
    System.out.println("@holding");
    awaitLine();
    if (!open.isOpen()) { // and kept until here: one that is gone is not told of
      throw new AssertionError("closed by itself");
    }
  }

  private static void awaitLine() throws IOException {
    System.in.read();
  }

  /** Succeeds twice, fails and opens, lets nobody through, and closes again by a success. */
  private static void named(Stage stage) throws Exception {
    CircuitBreaker breaker =
        CircuitBreaker.lookup("payments", (ExtendedActorSystem) stage.system());
    breaker.addOnHalfOpenListener(stage::signal);
    breaker.addOnCloseListener(stage::signal);
    breaker.callWithSyncCircuitBreaker(() -> "paid");
    breaker.callWithSyncCircuitBreaker(() -> "paid");
    tried(
        breaker,
        () -> {
          throw new IllegalStateException("no money");
        });
    tried(breaker, () -> "paid");
    stage.await(1);
    breaker.callWithSyncCircuitBreaker(() -> "paid");
    stage.await(1);
  }

  private static void tried(CircuitBreaker breaker, java.util.concurrent.Callable<String> call) {
    try {
      breaker.callWithSyncCircuitBreaker(call);
      throw new AssertionError("that was to fail");
    } catch (RuntimeException e) {
      // as it should
    }
  }

  /** Waits in vain, and stays open. */
  private static CircuitBreaker unnamed(Stage stage) throws Exception {
    CircuitBreaker breaker =
        new CircuitBreaker(
            stage.system().dispatcher(),
            stage.system().scheduler(),
            1,
            Duration.ofMillis(10),
            Duration.ofHours(1));
    breaker.addOnOpenListener(stage::signal);
    breaker.callWithCircuitBreakerCS(CompletableFuture::new);
    stage.await(1);
    return breaker;
  }

  /**
   * Made inside of an actor, so that it has started when the first message comes; else those before
   * are routed by another thread. All are sent by one thread, whatever that has routed before.
   */
  private static void router(Stage stage) throws Exception {
    ActorRef front =
        stage.front(
            "routed",
            f -> {
              ActorRef pool =
                  f.getContext().actorOf(new RoundRobinPool(2).props(Echo.props()), "pool");
              for (int i = 0; i < ROUTED_TWICE_TIMED; i++) {
                pool.tell(new Work(i), f.getSelf());
              }
            });
    front.tell(new Begin(), ActorRef.noSender());
    stage.await(ROUTED_TWICE_TIMED);
  }

  /**
   * On a thread of its own. The first message is timed, or the first after the routees have begun,
   * and the 64th after that.
   */
  private static void typedRouter(Stage stage) throws Exception {
    var pool =
        Adapter.spawn(
            stage.system(),
            Routers.pool(ROUTEES, routee(stage)).withRoundRobinRouting(),
            "typed-pool",
            DispatcherSelector.fromConfig("routing"));
    for (int i = 0; i < ROUTEES; i++) {
      pool.tell(new Ping());
    }
    stage.await(ROUTEES);
    for (int i = 0; i < ROUTED; i++) {
      pool.tell(new Ping());
    }
    stage.await(ROUTED);
  }

  /** The same where routees register themselves; nothing is sent before they are known. */
  private static void group(Stage stage) throws Exception {
    ServiceKey<Ping> key = ServiceKey.create(Ping.class, "routees");
    for (int i = 0; i < ROUTEES; i++) {
      Adapter.spawn(
          stage.system(),
          Behaviors.<Ping>setup(
              context -> {
                context
                    .getSystem()
                    .receptionist()
                    .tell(Receptionist.register(key, context.getSelf()));
                return routee(stage);
              }),
          "registered-" + i);
    }
    Adapter.spawn(stage.system(), listening(stage, key), "listening");
    stage.await(1);
    var group =
        Adapter.spawn(
            stage.system(),
            Routers.group(key).withRoundRobinRouting(),
            "typed-group",
            DispatcherSelector.fromConfig("routing"));
    for (int i = 0; i < ROUTED; i++) {
      group.tell(new Ping());
    }
    stage.await(ROUTED);
  }

  private static Behavior<Ping> routee(Stage stage) {
    return Behaviors.receiveMessage(
        ping -> {
          stage.signal();
          return Behaviors.same();
        });
  }

  /** Signals once all routees have registered. */
  private static Behavior<Receptionist.Listing> listening(Stage stage, ServiceKey<Ping> key) {
    return Behaviors.setup(
        context -> {
          context.getSystem().receptionist().tell(Receptionist.subscribe(key, context.getSelf()));
          return Behaviors.receiveMessage(
              listing -> {
                if (listing.getServiceInstances(key).size() < ROUTEES) {
                  return Behaviors.same();
                }
                stage.signal();
                return Behaviors.stopped();
              });
        });
  }

  private static void stash(Stage stage) throws Exception {
    var hoarder = stage.typed(hoarder(stage), "hoarder");
    for (int i = 0; i < STASHED; i++) {
      hoarder.tell(new Ping());
    }
    stage.await(STASHED);
  }

  private static Behavior<Ping> hoarder(Stage stage) {
    return Behaviors.withStash(
        10,
        stash ->
            Behaviors.receiveMessage(
                ping -> {
                  stash.stash(ping);
                  stage.signal();
                  return Behaviors.same();
                }));
  }

  private static void talk(Stage stage, String dispatcher, String name) throws Exception {
    ActorRef back = stage.actor(Echo.props().withDispatcher(dispatcher), name);
    stage.start(name + "-front", f -> back.tell(new Ping(), f.getSelf()));
    stage.await(1);
  }
}
