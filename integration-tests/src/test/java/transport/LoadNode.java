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
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Address;
import org.apache.pekko.actor.AddressFromURIString;
import org.apache.pekko.actor.Props;
import org.apache.pekko.cluster.Cluster;
import org.apache.pekko.cluster.Member;
import org.apache.pekko.cluster.MemberStatus;

/**
 * A member of a cluster under load, which does as it is told by lines on standard input, each
 * answered by a line that begins with {@code @}:
 *
 * <pre>
 *   join ADDRESS       joins a cluster
 *   members            how many are up
 *   self               which incarnation of its address it is: self UID
 *   peer ADDRESS       which incarnation it knows to be up there: peer UID, 0 if none
 *   send FLOW ADDRESS  numbers are sent to the member there from now on, under the flow's name
 *   halt FLOW          ends that: sent FLOW COUNT
 *   got FLOW           what came of it here: got FLOW COUNT, of these out of order or twice, and
 *                      how many are missing before the last
 *   leave              leaves the cluster, and ends the JVM
 * </pre>
 */
public final class LoadNode {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final long PAUSE_NANOS = 20_000_000;
  private static final int AT_ONCE = 2;
  private static final String SETTINGS =
      """
      pekko {
        loglevel = INFO
        use-slf4j = off
        actor.provider = cluster
        actor.allow-java-serialization = off
        remote.artery {
          canonical { hostname = "127.0.0.1", port = 0 }
          advanced.outbound-message-queue-size = 100000 # a pause of a JVM must not lose anything
        }
        cluster {
          jmx.enabled = off
          downing-provider-class = "org.apache.pekko.cluster.sbr.SplitBrainResolverProvider"
          gossip-interval = 200 ms
          leader-actions-interval = 200 ms
          failure-detector.acceptable-heartbeat-pause = 20 s
        }
        coordinated-shutdown.exit-jvm = on
      }
      """;

  private final ActorSystem system;
  private final Cluster cluster;
  private final Map<String, Flow> flows = new ConcurrentHashMap<>();
  private final Map<String, Came> came = new ConcurrentHashMap<>();

  private LoadNode(Config config) {
    system = ActorSystem.create("load", config);
    cluster = Cluster.get(system);
    system.actorOf(Props.create(Counter.class, () -> new Counter(came)), "counter");
  }

  public static void main(String[] arguments) throws IOException {
    LoadNode node =
        new LoadNode(
            ConfigFactory.defaultOverrides()
                .withFallback(ConfigFactory.parseString(SETTINGS))
                .withFallback(ConfigFactory.load()));
    System.out.println("@address " + node.cluster.selfAddress());
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = in.readLine(); line != null; line = in.readLine()) {
      System.out.println("@" + node.answer(line.split(" ", -1)));
    }
    System.exit(0);
  }

  private String answer(String[] words) {
    return switch (words[0]) {
      case "join" -> {
        cluster.join(AddressFromURIString.parse(words[1]));
        yield "joining";
      }
      case "members" -> "members " + up();
      case "self" -> "self " + cluster.selfUniqueAddress().longUid();
      case "peer" -> "peer " + incarnationAt(AddressFromURIString.parse(words[1]));
      case "send" -> {
        Flow flow = new Flow(words[1], counterAt(words[2]));
        flows.put(words[1], flow);
        flow.start();
        yield "sending " + words[1];
      }
      case "halt" -> "sent " + words[1] + " " + flows.get(words[1]).halt();
      case "got" -> {
        Came flow = came.getOrDefault(words[1], new Came());
        yield "got " + words[1] + " " + flow;
      }
      case "leave" -> {
        cluster.leave(cluster.selfAddress());
        yield "leaving";
      }
      default -> "what is " + words[0] + "?";
    };
  }

  private ActorRef counterAt(String address) {
    return system
        .actorSelection(address + "/user/counter")
        .resolveOne(PATIENCE)
        .toCompletableFuture()
        .join();
  }

  private long up() {
    return membersUp().count();
  }

  private Stream<Member> membersUp() {
    return StreamSupport.stream(cluster.state().getMembers().spliterator(), false)
        .filter(member -> member.status().equals(MemberStatus.up()));
  }

  private long incarnationAt(Address address) {
    return membersUp()
        .filter(member -> member.address().equals(address))
        .mapToLong(member -> member.uniqueAddress().longUid())
        .findFirst()
        .orElse(0);
  }

  /** Numbers that are sent to another member, one after the other, from a thread of their own. */
  private static final class Flow extends Thread {
    private final String name;
    private final ActorRef target;
    private volatile boolean halted;
    private long sent;

    Flow(String name, ActorRef target) {
      super("flow " + name);
      this.name = name;
      this.target = target;
      setDaemon(true);
    }

    @Override
    public void run() {
      while (!halted) {
        for (int i = 0; i < AT_ONCE; i++) {
          target.tell(name + " " + sent++, ActorRef.noSender());
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }

    long halt() {
      halted = true;
      try {
        join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return sent;
    }
  }

  /** The outcome of a flow. */
  private static final class Came {
    private long count;
    private long wrong;
    private long last = -1;

    synchronized void add(long number) {
      if (number <= last) {
        wrong++;
      }
      last = Math.max(last, number);
      count++;
    }

    @Override
    public synchronized String toString() {
      return count + " " + wrong + " " + Math.max(0, last + 1 - count);
    }
  }

  /** Counts what comes. */
  private static final class Counter extends AbstractActor {
    private final Map<String, Came> came;

    Counter(Map<String, Came> came) {
      this.came = came;
    }

    @Override
    public Receive createReceive() {
      return receiveBuilder()
          .match(
              String.class,
              text -> {
                int space = text.indexOf(' ');
                came.computeIfAbsent(text.substring(0, space), flow -> new Came())
                    .add(Long.parseLong(text.substring(space + 1)));
              })
          .build();
    }
  }
}
