// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.Props;

/** Actors that get one message and stop: ten thousand a second. */
final class Churn implements Load {
  private static final int AT_ONCE = 100;

  private final ActorSystem system;
  private final ActorRef last;
  private final Props props;

  Churn(ActorSystem system) {
    this.system = system;
    this.last = system.actorOf(Props.create(Actors.Echo.class), "last");
    this.props = Props.create(Actors.Once.class, () -> new Actors.Once(last));
  }

  @Override
  public String name() {
    return "actors";
  }

  @Override
  public long everyNanos() {
    return 10_000_000;
  }

  @Override
  public int once() {
    for (int i = 0; i < AT_ONCE; i++) {
      system.actorOf(props).tell("once", ActorRef.noSender());
    }
    return AT_ONCE;
  }
}
