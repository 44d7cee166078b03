// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.RefFields;
import java.util.List;

/** Pekko Projection, a library of its own: what a projection tells of itself, and its handler. */
final class ProjectionFeatures {
  static final Feature PROJECTION =
      Feature.named("PROJECTION")
          .usedWith("org.apache.pekko.projection.internal.TelemetryProvider$")
          .needs(Need.PERSISTENCE)
          .in("org.apache.pekko.projection.internal.TelemetryProvider$")
          .method("start")
          .takes(
              "org.apache.pekko.projection.ProjectionId",
              "org.apache.pekko.actor.typed.ActorSystem")
          .weave("ProjectionAdvice$Start")
          .in("org.apache.pekko.projection.internal.HandlerRecoveryImpl")
          .fields(RefFields.class)
          .constructor()
          .takes(
              "org.apache.pekko.projection.ProjectionId",
              "org.apache.pekko.projection.HandlerRecoveryStrategy",
              "org.apache.pekko.event.LoggingAdapter",
              "org.apache.pekko.projection.StatusObserver",
              "org.apache.pekko.projection.internal.Telemetry")
          .weave("ProjectionAdvice$Made")
          .method("applyRecovery")
          .takes(
              "java.lang.Object",
              "java.lang.Object",
              "java.lang.Object",
              "scala.concurrent.Future",
              "scala.Function0",
              "scala.Function0",
              "org.apache.pekko.actor.typed.ActorSystem")
          .weave("ProjectionAdvice$Handle")
          .build();

  static final List<Feature> ALL = List.of(PROJECTION);

  private ProjectionFeatures() {}
}
