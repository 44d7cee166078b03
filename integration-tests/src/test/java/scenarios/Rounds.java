// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.pattern.Patterns;
import scenarios.Messages.Ping;

/**
 * An application at work beside the other scenarios, for as long as the JVM lives: it asks twenty
 * times a second, and says how often it was answered, and each time that it was not.
 */
final class Rounds {
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final int SAID_EVERY = 10;
  private static final int PAUSE_MILLIS = 50;

  private Rounds() {}

  static void addTo(Scenes all) {
    all.add("rounds", Rounds::begin);
  }

  private static void begin(Stage stage) {
    ActorSystem system = ActorSystem.create(stage.name(), stage.config());
    ActorRef echo = system.actorOf(Echo.props(), "echo");
    Thread thread = new Thread(() -> work(echo), "rounds");
    thread.setDaemon(true);
    thread.start();
  }

  private static void work(ActorRef echo) {
    for (int round = 1; true; round++) {
      try {
        Patterns.ask(echo, new Ping(), PATIENCE).toCompletableFuture().get();
        Thread.sleep(PAUSE_MILLIS);
      } catch (Exception e) {
        System.out.println("@missed " + round + " " + e);
      }
      if (round % SAID_EVERY == 0) {
        System.out.println("@round " + round);
      }
    }
  }
}
