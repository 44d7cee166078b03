// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ExtendedActorSystem;
import scala.concurrent.duration.FiniteDuration;

/**
 * How long the self-test waits for a hook before it says that it is missing. Not by the clock
 * alone, which says nothing of how busy the machine is: after {@link #LEAST} it has the actor
 * system do {@value #ROUNDS} things one after another, each through its scheduler, its default
 * dispatcher and an actor. A hook that has not fired after those is not going to. {@link #MOST}
 * bounds it all. It waits for nothing once the actor system begins to end, so that it never delays
 * that.
 *
 * <p>An actor that is to answer may have classes to load first, which on a busy machine takes
 * longer than all these rounds. Its answer comes with and without the hook, so it has {@value
 * #ROUNDS_OF_AN_ANSWER}.
 */
final class Patience {
  static final Duration MOST = Duration.ofSeconds(60);
  private static final Duration LEAST = Duration.ofSeconds(2);
  private static final int ROUNDS = 20;
  private static final int ROUNDS_OF_AN_ANSWER = 200;
  private static final FiniteDuration SOON = FiniteDuration.apply(10, TimeUnit.MILLISECONDS);

  private final ExtendedActorSystem system;
  private final ActorRef conductor;

  Patience(ExtendedActorSystem system, ActorRef conductor) {
    this.system = system;
    this.conductor = conductor;
  }

  /** Waits for what another thread will make true; false if it does not in time. */
  boolean await(BooleanSupplier condition) throws InterruptedException {
    return await(condition, ROUNDS);
  }

  /** Waits for an actor's answer; false if it does not come in time. */
  boolean awaitAnswer(BooleanSupplier isThere) throws InterruptedException {
    return await(isThere, ROUNDS_OF_AN_ANSWER);
  }

  private boolean await(BooleanSupplier condition, int rounds) throws InterruptedException {
    long begunNanos = System.nanoTime();
    if (holds(condition, begunNanos + LEAST.toNanos(), this::isEnding)) {
      return true;
    }
    long endNanos = begunNanos + MOST.toNanos();
    for (int i = 0; i < rounds && System.nanoTime() - endNanos < 0 && !isEnding(); i++) {
      CompletableFuture<Boolean> round = round();
      if (holds(condition, endNanos, () -> round.isDone() || isEnding())) {
        return true;
      }
    }
    return condition.getAsBoolean();
  }

  private boolean isEnding() {
    return system.systemImpl().isTerminating();
  }

  private CompletableFuture<Boolean> round() {
    Run run = new Run(c -> true);
    system
        .scheduler()
        .scheduleOnce(SOON, () -> conductor.tell(run, ActorRef.noSender()), system.dispatcher());
    return run.answer();
  }

  /** Whether it does before a time, and before there is a reason to give up. */
  private static boolean holds(BooleanSupplier condition, long endNanos, BooleanSupplier giveUp)
      throws InterruptedException {
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - endNanos > 0 || giveUp.getAsBoolean()) {
        return false;
      }
      TimeUnit.MICROSECONDS.sleep(200);
    }
    return true;
  }
}
