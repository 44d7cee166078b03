// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.node;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import io.deimos.remote.RemoteStats;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.Dropped;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Props;
import org.apache.pekko.event.Logging;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.artery.ArteryTransport;

/** An actor system of a test, with what it logged and what it was told. */
final class Node implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration ATTEMPT = Duration.ofSeconds(20);
  private static final int STOCK_SECONDS = 5;
  static final String OURS = "deimos.remote.enabled = on";
  static final String MOVER =
      OURS + "\ndeimos.remote.direct-lane { outbound = off, inbound = off }";
  static final String OUT_ONLY = OURS + "\ndeimos.remote.direct-lane.inbound = off";
  static final String IN_ONLY = OURS + "\ndeimos.remote.direct-lane.outbound = off";
  static final String STOCK = "deimos.remote.enabled = off";

  final ActorSystem system;
  final List<Object> received = new Kept<>();
  final List<String> warnings = new Kept<>();
  final List<Object> lost = new Kept<>();
  final ActorRef receiver;
  private final boolean stock;

  private Node(String name, Config config) {
    system = ActorSystem.create(name, config);
    stock = !config.hasPath("deimos.remote.enabled") || !config.getBoolean("deimos.remote.enabled");
    ActorRef logs = system.actorOf(Props.create(Collector.class, new Sink(this::logged)), "logs");
    system.eventStream().subscribe(logs, Logging.Warning.class);
    system.eventStream().subscribe(logs, Logging.Error.class);
    system.eventStream().subscribe(logs, Logging.Info.class);
    ActorRef losses = system.actorOf(Props.create(Collector.class, new Sink(lost::add)), "losses");
    system.eventStream().subscribe(losses, Dropped.class);
    system.eventStream().subscribe(losses, DeadLetter.class);
    receiver = system.actorOf(Props.create(Collector.class, new Sink(received::add)), "receiver");
    system.actorOf(Props.create(Echo.class), "echo");
  }

  /** Starts a system on a free port, or on that of the given settings. */
  static Node start(String name, String... settings) {
    Config own = ConfigFactory.empty();
    for (String text : settings) {
      own = ConfigFactory.parseString(text).withFallback(own);
    }
    return new Node(
        name,
        own.withFallback(
                ConfigFactory.parseString(
                    """
                    pekko {
                      loglevel = INFO
                      stdout-loglevel = OFF
                      log-dead-letters = off
                      loggers = []
                      actor.provider = remote
                      actor.allow-java-serialization = off
                      coordinated-shutdown.run-by-jvm-shutdown-hook = off
                      remote {
                        use-unsafe-remote-features-outside-cluster = on
                        warn-about-direct-use = off
                        artery {
                          transport = tcp
                          canonical { hostname = "127.0.0.1", port = 0 }
                          advanced {
                            outbound-restart-backoff = 100 ms
                            handshake-timeout = 60 s
                            tcp.connection-timeout = 30 s
                          }
                        }
                      }
                    }
                    """))
            .withFallback(ConfigFactory.load()));
  }

  private void logged(Object event) {
    if (event instanceof Logging.LogEvent log && log.level() <= Logging.WarningLevel()) {
      warnings.add(String.valueOf(log.message()));
    } else if (event instanceof Logging.LogEvent log
        && String.valueOf(log.message()).startsWith("deimos.remote")) {
      warnings.add(String.valueOf(log.message()));
    }
  }

  Address address() {
    return ((ExtendedActorSystem) system).provider().getDefaultAddress();
  }

  int port() {
    return (Integer) address().port().get();
  }

  ArteryTransport transport() {
    RemoteActorRefProvider provider =
        (RemoteActorRefProvider) ((ExtendedActorSystem) system).provider();
    return (ArteryTransport) provider.transport();
  }

  /**
   * The other node's actor, as this node sees it. Remoting delivers at most once, so the one
   * message that looks for it can be lost with a connection that a starved machine gave up; then
   * both nodes print their story, and the next attempt follows.
   */
  ActorRef find(Node other, String path) {
    long deadline = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return system
            .actorSelection(other.address() + path)
            .resolveOne(ATTEMPT)
            .toCompletableFuture()
            .join();
      } catch (CompletionException e) {
        String story = "not found: %s of%n%s%nby%n%s".formatted(path, other.story(), story());
        if (System.nanoTime() - deadline > 0) {
          throw new AssertionError(story, e);
        }
        System.out.println(story);
      }
    }
  }

  ActorRef findAt(String address, String path) {
    return system.actorSelection(address + path).resolveOne(PATIENCE).toCompletableFuture().join();
  }

  /** The node's address, settings, log and losses, and the state of its transport. */
  private String story() {
    return "%s, stock %s, ended %s%n log %s%n lost %s%n transport %s"
        .formatted(
            address(),
            stock,
            system.whenTerminated().isCompleted(),
            List.copyOf(warnings),
            List.copyOf(lost),
            RemoteStats.snapshot() + " refused " + RemoteStats.refused());
  }

  static void await(String what, BooleanSupplier condition) {
    await(what, PATIENCE, condition);
  }

  static void await(String what, Duration patience, BooleanSupplier condition) {
    long deadline = System.nanoTime() + patience.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - deadline > 0) {
        throw new AssertionError("did not happen in " + patience + ": " + what);
      }
      java.util.concurrent.locks.LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
    }
  }

  static String text(int bytes) {
    byte[] text = new byte[bytes];
    java.util.Arrays.fill(text, (byte) 'x');
    return new String(text, UTF_8);
  }

  /**
   * Ends the system at the end of a test. The end of a stock one is not waited for without bound:
   * Artery's own TLS can wait for that of a stream for ever (apache/pekko issue 3247), and what a
   * stock node does at its end is not what is tested.
   */
  @Override
  public void close() {
    if (stock) {
      system.terminate();
      system
          .getWhenTerminated()
          .toCompletableFuture()
          .thenApply(terminated -> true)
          .completeOnTimeout(false, STOCK_SECONDS, TimeUnit.SECONDS)
          .join();
    } else {
      stop();
    }
  }

  /** Ends the system in the middle of a test. */
  void stop() {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().orTimeout(120, TimeUnit.SECONDS).join();
  }

  /** Where a collector puts things; a class of its own, as props want one. */
  record Sink(java.util.function.Consumer<Object> target) {}

  /** Keeps what it gets. */
  static final class Collector extends AbstractActor {
    private final Sink sink;

    Collector(Sink sink) {
      this.sink = sink;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder().matchAny(sink.target::accept).build();
    }
  }

  /** Sends back what it gets. */
  static final class Echo extends AbstractActor {
    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchEquals("stop", stop -> getContext().stop(getSelf()))
          .matchAny(message -> getSender().tell(message, getSelf()))
          .build();
    }
  }
}
