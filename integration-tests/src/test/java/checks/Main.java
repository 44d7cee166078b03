// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import com.typesafe.config.ConfigFactory;
import java.util.List;
import org.apache.pekko.actor.ActorSystem;

/** Begins all scenarios in one actor system; ends with its input. */
public final class Main {
  /** A scenario for each rule. */
  public static final List<Scenario> ALL =
      List.of(
          new GrowingMailbox(), //
          new BlockedThread(),
          new RestartingActor(),
          new RepeatedDeadLetters());

  private static final String SETTINGS =
      """
      pekko.loglevel = OFF
      pekko.stdout-loglevel = OFF
      pekko.log-dead-letters = off
      slow { type = PinnedDispatcher, executor = thread-pool-executor }
      """;

  private Main() {}

  public static void main(String[] args) throws Exception {
    ActorSystem system =
        ActorSystem.create(
            "checks", ConfigFactory.parseString(SETTINGS).withFallback(ConfigFactory.load()));
    for (Scenario scenario : ALL) {
      scenario.sick(system);
      scenario.healthy(system);
    }
    while (System.in.read() >= 0) {}
    System.exit(0);
  }
}
