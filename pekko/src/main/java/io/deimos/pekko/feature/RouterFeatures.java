// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import java.util.List;

/** Routers. */
final class RouterFeatures {
  static final Feature ROUTER =
      Feature.named("ROUTER")
          .usedWith("org.apache.pekko.routing.RoutedActorCell")
          .needs(Need.METRICS)
          .in("org.apache.pekko.routing.RoutedActorCell")
          .method("sendMessage")
          .takes("org.apache.pekko.dispatch.Envelope")
          .weave("RouterAdvice")
          .build();

  static final Feature TYPED_ROUTER =
      Feature.named("TYPED_ROUTER")
          .usedWith("org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl")
          .needs(Need.METRICS)
          .in("org.apache.pekko.actor.typed.internal.routing.PoolRouterImpl")
          .constructor()
          .takes(
              "org.apache.pekko.actor.typed.scaladsl.ActorContext",
              "int",
              "org.apache.pekko.actor.typed.Behavior",
              "org.apache.pekko.actor.typed.internal.routing.RoutingLogic",
              "scala.Function1",
              "org.apache.pekko.actor.typed.Props")
          .weave("TypedRouterAdvice$PoolMade")
          .method("onMessage")
          .takes("java.lang.Object")
          .weave("TypedRouterAdvice$Pool")
          .in("org.apache.pekko.actor.typed.internal.routing.GroupRouterImpl")
          .constructor()
          .takes(
              "org.apache.pekko.actor.typed.scaladsl.ActorContext",
              "org.apache.pekko.actor.typed.receptionist.ServiceKey",
              "boolean",
              "org.apache.pekko.actor.typed.internal.routing.RoutingLogic",
              "boolean")
          .weave("TypedRouterAdvice$GroupMade")
          .method("onMessage")
          .takes("java.lang.Object")
          .weave("TypedRouterAdvice$Group")
          .build();

  static final List<Feature> ALL = List.of(ROUTER, TYPED_ROUTER);

  private RouterFeatures() {}
}
