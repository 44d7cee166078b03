// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package transport;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.PoisonPill;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.MemberStatus;
import org.apache.pekko.cluster.sharding.ClusterSharding;
import org.apache.pekko.cluster.sharding.ClusterShardingSettings;
import org.apache.pekko.cluster.sharding.ShardRegion;
import org.apache.pekko.cluster.singleton.ClusterSingletonManager;
import org.apache.pekko.cluster.singleton.ClusterSingletonManagerSettings;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxy;
import org.apache.pekko.cluster.singleton.ClusterSingletonProxySettings;
import org.apache.pekko.pattern.Patterns;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.transport.ThrottlerTransportAdapter;

/**
 * One node, which does as it is told by lines on standard input, each answered by a line that
 * begins with {@code @}: {@code join <address>}, {@code members}, {@code unreachable}, {@code shard
 * <text>}, {@code single <text>}, {@code meter}, {@code threads <prefix>}, {@code down <address>},
 * {@code leave}, {@code cut <address>}, {@code mend <address>}, {@code end}. Only with {@code
 * pekko.remote.artery.advanced.test-mode} can it be cut off.
 */
public final class ClusterNode {
  private static final Duration PATIENCE = Duration.ofSeconds(3);
  private static final String SETTINGS =
      """
      pekko {
        loglevel = INFO
        use-slf4j = off
        actor.provider = cluster
        actor.allow-java-serialization = off
        remote.artery {
          canonical { hostname = "127.0.0.1", port = 0 }
          advanced.instruments = ["transport.Meter"]
        }
        cluster {
          jmx.enabled = off
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          split-brain-resolver.stable-after = 2 s
          failure-detector.acceptable-heartbeat-pause = 3 s
          gossip-interval = 200 ms
          leader-actions-interval = 200 ms
          sharding.state-store-mode = ddata
        }
        coordinated-shutdown.exit-jvm = on
      }
      """;

  private final ActorSystem system;
  private final Cluster cluster;
  private final ActorRef region;
  private final ActorRef singleton;

  private ClusterNode(Config config) {
    system = ActorSystem.create("transport", config);
    cluster = Cluster.get(system);
    region =
        ClusterSharding.get(system)
            .start(
                "entities",
                Props.create(Entity.class),
                ClusterShardingSettings.create(system),
                new Texts());
    system.actorOf(
        ClusterSingletonManager.props(
            Props.create(Entity.class),
            PoisonPill.getInstance(),
            ClusterSingletonManagerSettings.create(system)),
        "single");
    singleton =
        system.actorOf(
            ClusterSingletonProxy.props(
                "/user/single", ClusterSingletonProxySettings.create(system)));
  }

  public static void main(String[] arguments) throws IOException {
    ClusterNode node =
        new ClusterNode(
            ConfigFactory.defaultOverrides()
                .withFallback(ConfigFactory.parseString(SETTINGS))
                .withFallback(ConfigFactory.load()));
    System.out.println("@address " + node.cluster.selfAddress());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      String[] words = line.split(" ", 2);
      System.out.println("@" + node.answer(words[0], words.length > 1 ? words[1] : ""));
    }
    System.exit(0);
  }

  private String answer(String command, String argument) {
    return switch (command) {
      case "join" -> {
        cluster.join(AddressFromURIString.parse(argument));
        yield "joining";
      }
      case "members" -> "members " + up();
      case "unreachable" -> "unreachable " + cluster.state().getUnreachable().size();
      case "shard" -> ask(region, argument);
      case "single" -> ask(singleton, argument);
      case "meter" -> "meter " + Meter.RIGHT.get() + " right, " + Meter.WRONG.get() + " wrong";
      case "threads" -> "threads " + threads(argument);
      case "down" -> {
        cluster.down(AddressFromURIString.parse(argument));
        yield "downed";
      }
      case "leave" -> {
        cluster.leave(cluster.selfAddress());
        yield "leaving";
      }
      case "cut" -> passes(argument, "Blackhole$");
      case "mend" -> passes(argument, "Unthrottled$");
      case "end" -> {
        system.terminate();
        yield "ending";
      }
      default -> "what is " + command + "?";
    };
  }

  /** Has messages to a node and from it pass, or get lost. */
  @SuppressWarnings("deprecation") // Artery takes the commands of the transport before it
  private String passes(String address, String mode) {
    ((RemoteActorRefProvider) ((ExtendedActorSystem) system).provider())
        .transport()
        .managementCommand(
            new ThrottlerTransportAdapter.SetThrottle(
                AddressFromURIString.parse(address),
                (ThrottlerTransportAdapter.Direction) object("Direction$Both$"),
                (ThrottlerTransportAdapter.ThrottleMode) object(mode)));
    return "done";
  }

  /** One of Scala's objects that Java has no name for. */
  @SuppressWarnings("deprecation")
  private static Object object(String name) {
    try {
      return Class.forName(ThrottlerTransportAdapter.class.getName() + '$' + name)
          .getField("MODULE$")
          .get(null);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }

  private long up() {
    return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
        .filter(member -> member.status() == MemberStatus.up())
        .count();
  }

  private static String ask(ActorRef whom, String text) {
    CompletionStage<Object> answer = Patterns.ask(whom, text, PATIENCE);
    try {
      return "answer " + answer.toCompletableFuture().join();
    } catch (RuntimeException e) {
      return "silence " + text;
    }
  }

  private static long threads(String prefix) {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(prefix))
        .count();
  }

  /** The text is the entity. */
  private static final class Texts extends ShardRegion.HashCodeMessageExtractor {
    Texts() {
      super(20);
    }

    @Override
    public String entityId(Object message) {
      return String.valueOf(message);
    }
  }
}
