// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.RefFields;
import java.util.List;

/** Circuit breakers. */
final class BreakerFeatures {
  static final Feature CIRCUIT_BREAKER =
      Feature.named("CIRCUIT_BREAKER")
          .usedWith("org.apache.pekko.pattern.CircuitBreaker")
          .needs(Need.METRICS)
          .in("org.apache.pekko.pattern.CircuitBreaker")
          .fields(RefFields.class)
          .constructor()
          .takes(
              "org.apache.pekko.actor.Scheduler",
              "int",
              "scala.concurrent.duration.FiniteDuration",
              "scala.concurrent.duration.FiniteDuration",
              "scala.concurrent.duration.FiniteDuration",
              "double",
              "double",
              "scala.collection.immutable.Set",
              "org.apache.pekko.pattern.internal.CircuitBreakerTelemetry",
              "scala.concurrent.ExecutionContext")
          .weave("BreakerAdvice$Made")
          .in("org.apache.pekko.pattern.CircuitBreakersRegistry")
          .method("createCircuitBreaker")
          .takes("java.lang.String")
          .weave("BreakerAdvice$Named")
          .in("org.apache.pekko.pattern.CircuitBreaker")
          .method("swapState")
          .takes(
              "org.apache.pekko.pattern.CircuitBreaker$State",
              "org.apache.pekko.pattern.CircuitBreaker$State")
          .weave("BreakerAdvice$Changed")
          .method("org$apache$pekko$pattern$CircuitBreaker$$notifyCallSuccessListeners")
          .takes("long")
          .weave("BreakerAdvice$Succeeded")
          .method("org$apache$pekko$pattern$CircuitBreaker$$notifyCallFailureListeners")
          .takes("long")
          .weave("BreakerAdvice$Failed")
          .method("org$apache$pekko$pattern$CircuitBreaker$$notifyCallTimeoutListeners")
          .takes("long")
          .weave("BreakerAdvice$TimedOut")
          .method("org$apache$pekko$pattern$CircuitBreaker$$notifyCallBreakerOpenListeners")
          .weave("BreakerAdvice$Rejected")
          .build();

  static final List<Feature> ALL = List.of(CIRCUIT_BREAKER);

  private BreakerFeatures() {}
}
