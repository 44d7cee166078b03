// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigFactory;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/**
 * Arguments: for how many seconds, and how many seconds lie between two samples. Starts everything
 * that it loads, waits for a line on standard input, prints a line for each {@link Sample}, and
 * ends by itself. With {@code -Dendurance.checked=true} it prints what it has counted before, and
 * waits for another line.
 */
public final class Main {
  private static final String SETTINGS =
      """
      pekko.loglevel = WARNING
      pekko.stdout-loglevel = OFF
      pekko.logger-startup-timeout = 60s
      pekko.log-dead-letters = off
      pekko.log-dead-letters-during-shutdown = off
      pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off
      pekko.actor.provider = remote
      pekko.actor.allow-java-serialization = off
      pekko.remote.use-unsafe-remote-features-outside-cluster = on
      pekko.remote.warn-about-direct-use = off
      pekko.remote.artery.transport = tcp
      pekko.remote.artery.canonical.hostname = "127.0.0.1"
      pekko.remote.artery.canonical.port = 0
      pekko.cluster.seed-nodes = []
      """;

  private static final Thread SHOP =
      new Thread(
          () -> {
            try {
              Class.forName("shop.Main")
                  .getMethod("main", String[].class)
                  .invoke(null, (Object) new String[0]);
            } catch (ReflectiveOperationException e) {
              throw new IllegalStateException("no shop on the class path", e);
            }
          },
          "shop");

  private Main() {}

  public static void main(String[] args) throws Exception {
    long seconds = Long.parseLong(args[0]);
    long every = Long.parseLong(args[1]);
    Config config =
        ConfigFactory.parseString(SETTINGS)
            .withFallback(ConfigFactory.defaultReference())
            .resolve();
    ActorSystem here = ActorSystem.create("here", config);
    ActorSystem there = ActorSystem.create("there", config);
    ActorRef far = far(here, there);
    Incidents incidents = new Incidents(here);
    List<Load> loads =
        List.of(
            new Churn(here),
            new VirtualAsks(here),
            new Loaders(here),
            new UserSpans(here, far),
            new Flows(here),
            new Remote(far),
            incidents);
    if (Boolean.getBoolean("endurance.shop")) {
      SHOP.start();
    }
    System.out.println("@ready");
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    commands.readLine();
    long begun = System.nanoTime();
    LongAdder[] counts = new LongAdder[loads.size()];
    for (int i = 0; i < counts.length; i++) {
      counts[i] = new LongAdder();
      start(loads.get(i), counts[i]);
    }
    for (long at = every; at <= seconds; at += every) {
      long left = begun + at * 1_000_000_000L - System.nanoTime();
      while (left > 0) {
        LockSupport.parkNanos(left);
        left = begun + at * 1_000_000_000L - System.nanoTime();
      }
      System.out.println(Sample.now(at));
    }
    StringBuilder done = new StringBuilder("@loads");
    for (int i = 0; i < counts.length; i++) {
      done.append(' ').append(loads.get(i).name()).append('=').append(counts[i].sum());
    }
    System.out.println(done);
    if (Boolean.getBoolean("endurance.checked")) {
      System.out.println("@own " + incidents.finish());
      commands.readLine();
    }
    System.exit(0);
  }

  /** The other system's actor, as one has it in a message from there. */
  private static ActorRef far(ActorSystem here, ActorSystem there) throws Exception {
    there.actorOf(Props.create(Actors.Echo.class), "echo");
    String address =
        ((org.apache.pekko.actor.ExtendedActorSystem) there)
            .provider()
            .getDefaultAddress()
            .toString();
    return here.actorSelection(address + "/user/echo")
        .resolveOne(java.time.Duration.ofSeconds(90))
        .toCompletableFuture()
        .get();
  }

  private static void start(Load load, LongAdder count) {
    Thread thread =
        new Thread(
            () -> {
              while (true) {
                long next = System.nanoTime() + load.everyNanos();
                try {
                  count.add(load.once());
                } catch (Exception e) {
                  System.out.println("@failed " + load.name() + " " + e);
                }
                LockSupport.parkNanos(Math.max(1, next - System.nanoTime()));
              }
            },
            "load-" + load.name());
    thread.setDaemon(true);
    thread.start();
  }
}
