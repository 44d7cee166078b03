// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package soak;

import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.pubsub.DistributedPubSub;
import org.apache.pekko.cluster.pubsub.DistributedPubSubMediator;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.sharding.external.ExternalShardAllocation;
import org.apache.pekko.cluster.sharding.external.ExternalShardAllocationStrategy;
import org.apache.pekko.cluster.singleton.ClusterSingletonManager;
import org.apache.pekko.cluster.singleton.ClusterSingletonManagerSettings;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxy;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxySettings;
import soak.Messages.Buy;
import soak.Messages.News;
import soak.Messages.Rumour;

/**
 * One node, told what to do by lines on standard input, each answered by a line:
 *
 * <pre>
 *   join ADDRESS N         joins the cluster, waits for N members and starts the actors: @joined
 *   load N                 sends so many requests a second from now on: @loading
 *   rumour                 starts what never ends: @rumoured
 *   move MILLIS            moves a shard to another node each time that has passed: @moving
 *   members                @members N
 *   counts                 @counts sent=… answered=… …
 *   quiet                  sends and moves no more: @quiet
 *   end                    ends the JVM
 * </pre>
 */
public final class Node {
  static final int CARTS = 200;
  private static final int SHARDS = 10;
  private static final int SHOPPERS = 4;

  private static final String SETTINGS =
      """
      pekko {
        loglevel = WARNING
        stdout-loglevel = OFF
        loggers = ["org.apache.pekko.event.slf4j.Slf4jLogger"]
        logging-filter = "org.apache.pekko.event.slf4j.Slf4jLoggingFilter"
        log-dead-letters = off
        coordinated-shutdown { run-by-jvm-shutdown-hook = off, exit-jvm = off }
        actor {
          provider = cluster
          allow-java-serialization = on
          warn-about-java-serializer-usage = off
        }
        remote.artery.canonical { hostname = "127.0.0.1", port = 0 }
        cluster {
          jmx.enabled = off
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          split-brain-resolver.stable-after = 4 s
          failure-detector.acceptable-heartbeat-pause = 6 s
          shutdown-after-unsuccessful-join-seed-nodes = off
          sharding {
            retry-interval = 500ms
            rebalance-interval = 1s
            distributed-data.durable.keys = []
            distributed-data.majority-min-cap = 2
          }
        }
      }
      """;

  private final Counts counts = new Counts();
  private final Random random = new Random(7);
  private final ScheduledExecutorService clock = Executors.newScheduledThreadPool(2);
  private final ActorSystem system =
      ActorSystem.create(
          "soak", ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load()));
  private final Cluster cluster = Cluster.get(system);
  private ActorRef shoppers;
  private ActorRef carts;

  /** Nobody else's. */
  private int number = System.getProperty("soak.node", "?").hashCode() * 1_000_000;

  private Node() {}

  public static void main(String[] arguments) throws IOException {
    Node node = new Node();
    System.out.println("@opened " + node.cluster.selfAddress());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null && !line.equals("end"); line = in.readLine()) {
      try {
        System.out.println("@" + node.told(line.split(" ", -1)));
      } catch (Exception e) {
        System.out.println("@failed " + line + " " + e);
      }
    }
    node.clock.shutdownNow();
    node.system.terminate();
    node.system.getWhenTerminated().toCompletableFuture().orTimeout(90, TimeUnit.SECONDS).join();
    System.exit(0);
  }

  private String told(String[] words) throws Exception {
    switch (words[0]) {
      case "join" -> {
        join(AddressFromURIString.parse(words[1]), Integer.parseInt(words[2]));
        return "joined";
      }
      case "load" -> {
        var unusedBuying =
            clock.scheduleAtFixedRate(
                this::buy, 0, 1_000_000L / Integer.parseInt(words[1]), TimeUnit.MICROSECONDS);
        var unusedPublishing = clock.scheduleAtFixedRate(this::publish, 1, 1, TimeUnit.SECONDS);
        return "loading";
      }
      case "rumour" -> {
        carts.tell(new Rumour(random.nextInt(CARTS)), ActorRef.noSender());
        return "rumoured";
      }
      case "move" -> {
        long millis = Long.parseLong(words[1]);
        var unusedMoving =
            clock.scheduleAtFixedRate(this::move, millis, millis, TimeUnit.MILLISECONDS);
        return "moving";
      }
      case "members" -> {
        return "members " + members().size();
      }
      case "counts" -> {
        return "counts " + counts;
      }
      case "quiet" -> {
        clock.shutdown();
        return "quiet";
      }
      default -> throw new IllegalArgumentException("what is " + words[0] + "?");
    }
  }

  private void join(Address seed, int members) throws InterruptedException {
    cluster.join(seed);
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
    while (members().size() < members) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("members: " + cluster.state().getMembers());
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    ActorRef stock = region("stock", Props.create(Others.Stock.class));
    // The carts know their region, to send to each other.
    carts =
        region(
            "carts",
            Props.create(
                Cart.class,
                () -> new Cart(stock, ClusterSharding.get(system).shardRegion("carts"))));
    system.actorOf(
        ClusterSingletonManager.props(
            Props.create(Others.Ledger.class),
            PoisonPill.getInstance(),
            ClusterSingletonManagerSettings.create(system)),
        "ledger");
    ActorRef ledger =
        system.actorOf(
            ClusterSingletonProxy.props(
                "/user/ledger", ClusterSingletonProxySettings.create(system)),
            "ledger-proxy");
    ActorRef reader = system.actorOf(Props.create(Others.Reader.class), "reader");
    DistributedPubSub.get(system)
        .mediator()
        .tell(new DistributedPubSubMediator.Subscribe("news", reader), ActorRef.noSender());
    shoppers =
        system.actorOf(
            new org.apache.pekko.routing.RoundRobinPool(SHOPPERS)
                .props(Props.create(Shopper.class, () -> new Shopper(counts, carts, ledger))),
            "shoppers");
  }

  private ActorRef region(String type, Props entity) {
    return ClusterSharding.get(system)
        .start(
            type,
            entity,
            ClusterShardingSettings.create(system),
            new ShardRegion.HashCodeMessageExtractor(SHARDS) {
              @Override
              public String entityId(Object message) {
                return message instanceof Messages.ToEntity to ? String.valueOf(to.entity()) : null;
              }
            },
            new ExternalShardAllocationStrategy(
                system,
                type,
                org.apache.pekko.util.Timeout.create(java.time.Duration.ofSeconds(5))),
            PoisonPill.getInstance());
  }

  private List<Member> members() {
    return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
        .filter(member -> member.status().equals(MemberStatus.up()))
        .toList();
  }

  private void buy() {
    counts.sent.increment();
    shoppers.tell(new Buy(++number), ActorRef.noSender());
  }

  private void publish() {
    DistributedPubSub.get(system)
        .mediator()
        .tell(new DistributedPubSubMediator.Publish("news", new News()), ActorRef.noSender());
  }

  private void move() {
    String type = random.nextBoolean() ? "carts" : "stock";
    List<Member> up = members();
    Address to = up.get(random.nextInt(up.size())).address();
    var unused =
        ((ExternalShardAllocation) ExternalShardAllocation.get(system))
            .getClient(type)
            .setShardLocation(String.valueOf(random.nextInt(SHARDS)), to)
            .thenAccept(done -> counts.moves.increment());
  }
}
