// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package endurance;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.pattern.Patterns;

/** Questions to the other node. */
final class Remote implements Load {
  private final ActorRef far;

  Remote(ActorRef far) {
    this.far = far;
  }

  @Override
  public String name() {
    return "remote-asks";
  }

  @Override
  public long everyNanos() {
    return 5_000_000;
  }

  @Override
  public int once() throws Exception {
    Patterns.ask(far, "ping", Duration.ofSeconds(90))
        .toCompletableFuture()
        .get(90, TimeUnit.SECONDS);
    return 1;
  }
}
