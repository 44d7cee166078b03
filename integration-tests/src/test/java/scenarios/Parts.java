// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.typed.Behavior;
import org.apache.pekko.actor.typed.javadsl.Behaviors;
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

  private Parts() {}

  static void addTo(Map<String, Scenario> all) {
    all.put("parts", Parts::all);
  }

  /** Stays as it is until a line is read. */
  private static void all(Stage stage) throws Exception {
    stage.with(SETTINGS);
    named(stage);
    CircuitBreaker open = unnamed(stage);
    router(stage);
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

  private static void router(Stage stage) throws Exception {
    ActorRef pool = stage.actor(new RoundRobinPool(2).props(Echo.props()), "pool");
    ActorRef front = stage.actor(Front.props(stage, f -> {}), "routed");
    for (int i = 0; i < ROUTED; i++) {
      pool.tell(new Work(i), front);
    }
    stage.await(ROUTED);
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
    stage
        .actor(Front.props(stage, f -> back.tell(new Ping(), f.getSelf())), name + "-front")
        .tell(new Begin(), ActorRef.noSender());
    stage.await(1);
  }
}
