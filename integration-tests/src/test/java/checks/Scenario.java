// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package checks;

import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;

/** A rule's scenario. Both parts go on until the application ends. */
public interface Scenario {
  /** The rule's id. */
  String rule();

  /** Part of what is found, in lower case. */
  default String sign() {
    return "sick";
  }

  /** Begins what the rule has to find. */
  void sick(ActorSystem system);

  /** Begins what looks like it and is healthy. */
  void healthy(ActorSystem system);

  /** Sends a message again and again. */
  static void every(ActorSystem system, Duration time, ActorRef to, Object message) {
    every(system, time, () -> to.tell(message, ActorRef.noSender()));
  }

  /** Does something again and again. */
  static void every(ActorSystem system, Duration time, Runnable task) {
    var unused = system.scheduler().scheduleWithFixedDelay(time, time, task, system.dispatcher());
  }
}
