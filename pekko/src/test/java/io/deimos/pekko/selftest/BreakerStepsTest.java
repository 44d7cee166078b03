// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.junit.jupiter.api.Test;

class BreakerStepsTest {
  /** Steps are asked for one by one, and the actor system may end between any two. */
  @Test
  void run_actorSystemHasEnded_printsNothing() throws Exception {
    ExtendedActorSystem system =
        (ExtendedActorSystem) ActorSystem.create("ended", ConfigFactory.load());
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get();
    Steps steps = new Steps(Set::of, system, system.deadLetters());
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    PrintStream before = System.err;
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try {
      BreakerSteps.run(steps, system);
    } finally {
      System.setErr(before);
    }
    assertThat(printed.toString(StandardCharsets.UTF_8)).isEmpty();
  }
}
