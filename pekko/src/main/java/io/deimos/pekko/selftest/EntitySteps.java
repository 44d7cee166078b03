// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.time.Duration;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.cluster.sharding.typed.internal.EntityRefImpl;
import org.apache.pekko.cluster.sharding.typed.internal.EntityTypeKeyImpl;

/** An ask to a sharded entity; the self-test's own actor stands in for the shard region. */
final class EntitySteps {
  private EntitySteps() {}

  static void run(Steps steps, ExtendedActorSystem system, ActorRef region) {
    steps.fires(
        "EntityRefImpl$EntityPromiseRef.ask",
        () -> {
          EntityRefImpl<Object> entity =
              new EntityRefImpl<>(
                  region,
                  "self-test",
                  new EntityTypeKeyImpl<>("deimos-self-test", Object.class.getName()),
                  scala.Option.empty());
          entity.<String>ask(replyTo -> new Run(c -> true), Duration.ofSeconds(2));
        });
  }
}
