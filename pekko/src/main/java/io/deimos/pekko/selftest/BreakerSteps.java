// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.Scheduler;
import org.apache.pekko.pattern.CircuitBreaker;
import scala.concurrent.Promise;

/** Circuit breakers: one that is tripped, one whose call takes too long, one with a name. */
final class BreakerSteps {
  private static final Duration LONG = Duration.ofSeconds(30);

  private final Steps steps;
  private final ExtendedActorSystem system;
  private final Scheduler scheduler;

  private BreakerSteps(Steps steps, ExtendedActorSystem system) {
    this.steps = steps;
    this.system = system;
    this.scheduler = new EndingScheduler(system.scheduler());
  }

  static void run(Steps steps, ExtendedActorSystem system) {
    new BreakerSteps(steps, system).run();
  }

  private void run() {
    CircuitBreaker breaker = breaker(LONG);
    steps.fires("CircuitBreaker.<init>");
    tried(breaker, () -> "");
    steps.fires("CircuitBreaker.notifyCallSuccessListeners");
    tried(
        breaker,
        () -> {
          throw new Child.Failure();
        });
    steps.fires("CircuitBreaker.notifyCallFailureListeners");
    steps.fires("CircuitBreaker.swapState");
    tried(breaker, () -> "");
    steps.fires("CircuitBreaker.notifyCallBreakerOpenListeners");
    breaker(Duration.ofMillis(1)).callWithCircuitBreaker(() -> Promise.<String>apply().future());
    steps.fires("CircuitBreaker.notifyCallTimeoutListeners");
    CircuitBreaker.lookup("deimos-self-test", system);
    steps.fires("CircuitBreakersRegistry.createCircuitBreaker");
  }

  private CircuitBreaker breaker(Duration callTimeout) {
    return new CircuitBreaker(system.dispatcher(), scheduler, 1, callTimeout, LONG);
  }

  // The end of a call does not matter: the breaker saw it.
  @SuppressWarnings("PMD")
  private static void tried(CircuitBreaker breaker, Callable<String> call) {
    try {
      breaker.callWithSyncCircuitBreaker(call);
    } catch (RuntimeException e) {
      // one that failed, or was not let through
    }
  }
}
