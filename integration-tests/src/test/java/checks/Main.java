// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import com.typesafe.config.ConfigFactory;
import java.util.List;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.cluster.Cluster;

/** Begins all scenarios in one actor system; ends with its input. */
public final class Main {
  /** A scenario for each rule. */
  public static final List<Scenario> ALL =
      List.of(
          new GrowingMailbox(), //
          new BlockedThread(),
          new RestartingActor(),
          new RepeatedDeadLetters(),
          new UnstoppedActors(),
          new SkewedEntities(),
          new ThrashingPassivation(),
          new NarrowDispatcher(),
          new LongTurns(),
          new SerializedByJava(),
          new LargeToANode(),
          new ManyErrors());

  private static final String SETTINGS =
      """
      pekko.loglevel = OFF
      pekko.stdout-loglevel = OFF
      pekko.log-dead-letters = off
      pekko.actor.provider = cluster
      pekko.actor.allow-java-serialization = on
      pekko.actor.warn-about-java-serializer-usage = off
      pekko.remote.artery { transport = tcp, canonical { hostname = "127.0.0.1", port = 0 } }
      slow { type = PinnedDispatcher, executor = thread-pool-executor }
      one-thread { executor = thread-pool-executor, thread-pool-executor.fixed-pool-size = 1 }
      sick-turns = ${one-thread} { throughput = 100 }
      healthy-turns = ${one-thread} { throughput = 100 }
      sick-calls = ${one-thread}
      healthy-calls = ${one-thread} { thread-pool-executor.fixed-pool-size = 4 }
      """;

  private Main() {}

  public static void main(String[] args) throws Exception {
    ActorSystem system =
        ActorSystem.create(
            "checks",
            ConfigFactory.parseString(SETTINGS).resolve().withFallback(ConfigFactory.load()));
    Cluster cluster = Cluster.get(system);
    cluster.join(cluster.selfAddress());
    for (Scenario scenario : ALL) {
      scenario.sick(system);
      scenario.healthy(system);
    }
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
