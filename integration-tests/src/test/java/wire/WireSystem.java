// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package wire;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.pattern.Patterns;

/**
 * An actor system that others reach by the transport it is named after, and its services. The name
 * of a peer behind a hyphen tells systems of the same transport apart.
 */
final class WireSystem {
  /** A cluster with a database, which others do without. */
  private static final String ENTITIES = "entities";

  private static final String COMMON =
      """
      pekko {
        loglevel = WARNING
        stdout-loglevel = OFF
        loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
        logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
        log-dead-letters = off
        log-dead-letters-during-shutdown = off
        coordinated-shutdown.run-by-jvm-shutdown-hook = off
        actor.provider = remote
        actor.allow-java-serialization = on
        actor.warn-about-java-serializer-usage = off
        actor.default-dispatcher.fork-join-executor { parallelism-min = 2, parallelism-max = 4 }
        actor.internal-dispatcher.fork-join-executor { parallelism-min = 2, parallelism-max = 4 }
        remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
        # what has to wait for longer becomes a dead letter, which no row is about
        remote.artery.advanced.handshake-timeout = 60s
        remote.artery.large-message-destinations = ["/user/large", "/user/echo-large"]
        remote.use-unsafe-remote-features-outside-cluster = on
        remote.warn-unsafe-watch-outside-cluster = off
        coordinated-shutdown.exit-jvm = off
      }
      """;

  /** The transport that the node's configuration asks for is not for this system. */
  private static final String STOCK =
      """
      deimos.remote.enabled = off
      """;

  private static final String TLS =
      """
      pekko.remote.artery {
        transport = tls-tcp
        advanced.inbound-lanes = 4
        advanced.outbound-lanes = 3
        ssl.config-ssl-engine {
          key-store = "%1$s", trust-store = "%1$s"
          key-store-password = changeit, key-password = changeit, trust-store-password = changeit
          enabled-algorithms = [TLS_AES_128_GCM_SHA256], protocol = "TLSv1.3"
          require-mutual-authentication = on
          hostname-verification = off
        }
      }
      """;

  private static final String LANES =
      """
      pekko.remote.artery.advanced { inbound-lanes = 4, outbound-lanes = 3 }
      """;

  private static final String AERON =
      """
      pekko.remote.artery {
        transport = aeron-udp
        advanced.aeron.idle-cpu-level = 1
      }
      """;

  private static final String CLASSIC =
      """
      pekko.remote.artery.enabled = off
      pekko.remote.warn-about-direct-use = off
      pekko.remote.classic.netty.tcp { hostname = "127.0.0.1", port = 0 }
      pekko.remote.classic.startup-timeout = 60s
      """;

  private static final String CLUSTER =
      """
      wire.late = %s
      pekko.actor.provider = cluster
      pekko.cluster {
        jmx.enabled = off
        downing-provider-class = ""
        shutdown-after-unsuccessful-join-seed-nodes = off
        gossip-interval = 200ms
        leader-actions-interval = 200ms
        periodic-tasks-initial-delay = 200ms
        sharding {
          retry-interval = 500ms
          waiting-for-state-timeout = 500ms
          coordinator-state.write-majority-plus = 0
          distributed-data.majority-min-cap = 1
          number-of-shards = 10
          rebalance-interval = 1s
          remember-entities-store = ddata
          distributed-data.durable.keys = []
        }
        singleton.hand-over-retry-interval = 500ms
        singleton-proxy.singleton-identification-interval = 300ms
        pub-sub.gossip-interval = 200ms
        distributed-data.gossip-interval = 200ms
        distributed-data.notify-subscribers-interval = 100ms
        client.receptionist.heartbeat-interval = 1s
      }
      """;

  private static final String PEKKOS_TLS = "tls(-.*)?";

  private final ActorSystem system;
  private final ActorRef deadLetters;

  private WireSystem(ActorSystem system, ActorRef deadLetters) {
    this.system = system;
    this.deadLetters = deadLetters;
  }

  static WireSystem open(String name) {
    Config config =
        ConfigFactory.parseString(settings(name))
            .withFallback(ConfigFactory.parseString(COMMON))
            .withFallback(ConfigFactory.load());
    ActorSystem system = ActorSystem.create(name, config);
    Services.start(system);
    ActorRef left = system.actorOf(Props.create(DeadLetters.class), "dead-letters");
    system.getEventStream().subscribe(left, DeadLetter.class);
    return new WireSystem(system, left);
  }

  private static String settings(String name) {
    return switch (name.replaceFirst("-(none|otel|kamon|off)$", "")) {
      case "tcp" -> STOCK;
      case "tls" -> STOCK + tls();
      case "deimos" -> LANES;
      case "deimos-tls" -> tls();
      case "deimos-mixed" -> Boolean.getBoolean("wire.late") ? STOCK : "";
      case "aeron" -> AERON;
      case "classic" -> CLASSIC;
      case "cluster" -> STOCK + cluster();
      case "deimos-cluster" -> cluster();
      case ENTITIES -> STOCK + cluster() + Ledgers.settings();
      default -> throw new IllegalArgumentException("no transport " + name);
    };
  }

  private static String tls() {
    return TLS.formatted(System.getProperty("wire.keys"));
  }

  private static String cluster() {
    return CLUSTER.formatted(System.getProperty("wire.late", "false"));
  }

  ActorSystem system() {
    return system;
  }

  String address() {
    return ((org.apache.pekko.actor.ExtendedActorSystem) system)
        .provider()
        .getDefaultAddress()
        .toString();
  }

  void join(String seed, int members) throws Exception {
    Cluster cluster = Cluster.get(system);
    cluster.join(AddressFromURIString.parse(seed));
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
    while (up(cluster) < members) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("members: " + cluster.state().getMembers());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    if (system.name().equals(ENTITIES)) {
      Ledgers.start(system);
      Remembering.start(system);
    } else {
      ClusterServices.start(system);
    }
  }

  private static long up(Cluster cluster) {
    long up = 0;
    for (var member : cluster.state().getMembers()) {
      up += member.status().equals(MemberStatus.up()) ? 1 : 0;
    }
    return up;
  }

  /** The dead letters so far that are messages of the rows. */
  String deadLetters() throws Exception {
    return Patterns.ask(deadLetters, DeadLetters.TELL, Stage.PATIENCE)
        .toCompletableFuture()
        .get(Stage.PATIENCE.toSeconds(), TimeUnit.SECONDS)
        .toString();
  }

  /**
   * Ends systems together. Pekko's own TLS leaves a system that does not stop once in some dozens
   * of times, without any agent too; such a one ends with its JVM.
   */
  static void close(Collection<WireSystem> systems) {
    systems.forEach(s -> s.system.terminate());
    systems.forEach(WireSystem::awaitEnd);
  }

  private void awaitEnd() {
    try {
      system.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
    } catch (Exception e) {
      if (!(e instanceof TimeoutException) || !system.name().matches(PEKKOS_TLS)) {
        throw new IllegalStateException(system.name() + " does not stop", e);
      }
      System.out.println("@unstopped " + system.name());
    }
  }

  /** Notes what was for nobody, of what the rows send. */
  static final class DeadLetters extends AbstractActor {
    static final String TELL = "tell";

    private final List<String> noted = new ArrayList<>();

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .matchEquals(TELL, t -> getSender().tell(List.copyOf(noted), getSelf()))
          .match(
              DeadLetter.class,
              d -> d.message().getClass().getName().startsWith("wire."),
              d -> noted.add(d.message() + " for " + d.recipient().path()))
          .matchAny(other -> {})
          .build();
    }
  }
}
