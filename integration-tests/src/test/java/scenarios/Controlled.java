// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package scenarios;

import java.util.Map;
import org.apache.pekko.actor.ActorRef;
import scenarios.Messages.Begin;
import scenarios.Messages.Ping;

/** What users control; each scenario's argument is HOCON for its actor system. */
final class Controlled {
  private Controlled() {}

  static void addTo(Map<String, Scenario> all) {
    all.put("controlled-tell", Controlled::tell);
  }

  private static void tell(Stage stage) throws Exception {
    stage.with(stage.argument());
    ActorRef back = stage.actor(Echo.props(), "back");
    stage
        .actor(Front.props(stage, f -> back.tell(new Ping(), f.getSelf())), "front")
        .tell(new Begin(), ActorRef.noSender());
    stage.await(1);
  }
}
