// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.shutdown;

import static org.assertj.core.api.Assertions.assertThat;

import com.typesafe.config.ConfigFactory;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.apache.pekko.Done;
import org.apache.pekko.actor.ActorSystem;
import org.apache.pekko.actor.CoordinatedShutdown;
import org.junit.jupiter.api.Test;

class EndingTest {
  @Test
  void await_systemNobodyEnds_goesOn() throws Exception {
    ActorSystem system = system();
    try {
      assertThat(Ending.await(List.of(system))).isFalse();
      assertThat(system.getWhenTerminated().toCompletableFuture()).isNotDone();
    } finally {
      end(system);
    }
  }

  @Test
  void await_systemThatEnds_waitsForItsEnd() {
    ActorSystem system = system();
    CompletableFuture<Done> lastTask = new CompletableFuture<>();
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(CoordinatedShutdown.PhaseServiceStop(), "last", () -> lastTask);
    shutdown.runAll(CoordinatedShutdown.unknownReason());
    CompletableFuture<Boolean> waiting =
        CompletableFuture.supplyAsync(() -> Ending.await(List.of(system)));
    assertThat(waiting).isNotDone();
    lastTask.complete(Done.getInstance());
    assertThat(waiting).succeedsWithin(30, TimeUnit.SECONDS).isEqualTo(true);
    assertThat(system.getWhenTerminated().toCompletableFuture()).isDone();
  }

  @Test
  void await_shutdownThatTheJvmDoesNotWaitFor_goesOn() throws Exception {
    ActorSystem system =
        ActorSystem.create(
            "ending-alone",
            ConfigFactory.parseString("pekko.coordinated-shutdown.run-by-jvm-shutdown-hook = off")
                .withFallback(ConfigFactory.load()));
    CompletableFuture<Done> lastTask = new CompletableFuture<>();
    CoordinatedShutdown shutdown = CoordinatedShutdown.get(system);
    shutdown.addTask(CoordinatedShutdown.PhaseServiceStop(), "last", () -> lastTask);
    shutdown.runAll(CoordinatedShutdown.unknownReason());
    try {
      assertThat(Ending.await(List.of(system))).isFalse();
      assertThat(lastTask).isNotDone();
    } finally {
      lastTask.complete(Done.getInstance());
      end(system);
    }
  }

  @Test
  void await_systemThatHasEnded_goesOn() throws Exception {
    ActorSystem system = system();
    end(system);
    assertThat(Ending.await(List.of(system))).isTrue();
  }

  private static ActorSystem system() {
    return ActorSystem.create("ending", ConfigFactory.load());
  }

  private static void end(ActorSystem system) throws Exception {
    system.terminate();
    system.getWhenTerminated().toCompletableFuture().get(90, TimeUnit.SECONDS);
  }
}
