// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import java.util.List;

/** Reliable delivery. */
final class DeliveryFeatures {
  /** Messages that reliable delivery sends again keep the context of the first time. */
  static final Feature DELIVERY =
      Feature.named("DELIVERY")
          .usedWith("org.apache.pekko.actor.typed.delivery.ConsumerController$SequencedMessage")
          .needs(Need.TRACING)
          .in("org.apache.pekko.actor.typed.delivery.ConsumerController$SequencedMessage")
          .fields(ContextFields.class)
          .constructor()
          .takes(
              "java.lang.String",
              "long",
              "java.lang.Object",
              "boolean",
              "boolean",
              "org.apache.pekko.actor.typed.ActorRef")
          .weave("CallbackAdvice$Register")
          .method("asFirst")
          .weave("RemoteAdvice$Copied")
          .in("org.apache.pekko.actor.typed.delivery.internal.ConsumerControllerImpl")
          .method("deliver")
          .takes(
              "org.apache.pekko.actor.typed.delivery.internal.ConsumerControllerImpl$State",
              "org.apache.pekko.actor.typed.delivery.ConsumerController$SequencedMessage")
          .weave("RemoteAdvice$Delivered")
          .in(
              "org.apache.pekko.actor.typed.delivery.internal.WorkPullingProducerControllerImpl$Unconfirmed")
          .fields(ContextFields.class)
          .constructor()
          .takes("long", "long", "java.lang.Object", "scala.Option")
          .weave("CallbackAdvice$Register")
          .method("msg")
          .weave("RemoteAdvice$Unconfirmed")
          .build();

  /** The same where it is sent to sharded entities. */
  static final Feature SHARDED_DELIVERY =
      Feature.named("SHARDED_DELIVERY")
          .usedWith("org.apache.pekko.cluster.sharding.typed.ShardingEnvelope")
          .needs(Need.TRACING)
          .in("org.apache.pekko.cluster.sharding.typed.ShardingEnvelope")
          .constructor()
          .takes("java.lang.String", "java.lang.Object")
          .weave("RemoteAdvice$Wrapped")
          .build();

  static final List<Feature> ALL = List.of(DELIVERY, SHARDED_DELIVERY);

  private DeliveryFeatures() {}
}
