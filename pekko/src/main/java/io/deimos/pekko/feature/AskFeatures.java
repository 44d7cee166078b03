// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import java.util.List;

/** Asks. */
final class AskFeatures {
  static final Feature ASK =
      Feature.named("ASK")
          .usedWith("org.apache.pekko.pattern.PromiseActorRef")
          .needs(Need.TRACING)
          .in("org.apache.pekko.pattern.PromiseActorRef")
          .constructor()
          .takes(
              "org.apache.pekko.actor.ActorRefProvider",
              "scala.concurrent.Promise",
              "java.lang.String",
              "java.lang.String")
          .weave("AskAdvice$Created")
          .method("ask")
          .takes(
              "org.apache.pekko.actor.ActorRef",
              "java.lang.Object",
              "org.apache.pekko.util.Timeout")
          .weave("AskAdvice$Ask")
          .method("ask")
          .takes(
              "org.apache.pekko.actor.ActorSelection",
              "java.lang.Object",
              "org.apache.pekko.util.Timeout")
          .called("PromiseActorRef.ask(ActorSelection)")
          .weave("AskAdvice$AskSelection")
          .method("stop")
          .weave("AskAdvice$Ended")
          .build();

  static final Feature TYPED_ASK =
      Feature.named("TYPED_ASK")
          .usedWith("org.apache.pekko.actor.typed.scaladsl.AskPattern$PromiseRef")
          .needs(Need.TRACING)
          .in("org.apache.pekko.actor.typed.scaladsl.AskPattern$PromiseRef")
          .method("ask")
          .takes(
              "org.apache.pekko.actor.typed.internal.InternalRecipientRef",
              "java.lang.Object",
              "org.apache.pekko.util.Timeout")
          .weave("TypedAskAdvice")
          .build();

  static final Feature ENTITY_ASK =
      Feature.named("ENTITY_ASK")
          .usedWith(
              "org.apache.pekko.cluster.sharding.typed.internal.EntityRefImpl$EntityPromiseRef")
          .needs(Need.TRACING)
          .in("org.apache.pekko.cluster.sharding.typed.internal.EntityRefImpl$EntityPromiseRef")
          .method("ask")
          .takes(
              "org.apache.pekko.actor.ActorRef",
              "java.lang.String",
              "java.lang.Object",
              "org.apache.pekko.util.Timeout")
          .weave("EntityAskAdvice")
          .build();

  static final List<Feature> ALL = List.of(ASK, TYPED_ASK, ENTITY_ASK);

  private AskFeatures() {}
}
