// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.NumberFields;
import java.util.List;

/** Messages from node to node by Artery. */
final class RemoteFeatures {
  /** The context goes with messages to other nodes, and comes with theirs. */
  static final Feature ARTERY =
      Feature.named("ARTERY")
          .usedWith("org.apache.pekko.remote.artery.RemoteInstruments")
          .needs(Need.TRACING, Need.REMOTE)
          .in("org.apache.pekko.remote.artery.ReusableOutboundEnvelope")
          .fields(ContextFields.class)
          .method("init")
          .takes(
              "org.apache.pekko.remote.RemoteActorRef",
              "java.lang.Object",
              "org.apache.pekko.actor.ActorRef")
          .weave("RemoteAdvice$Leaving")
          .method("copy")
          .weave("RemoteAdvice$Copied")
          .method("clear")
          .weave("RemoteAdvice$Forget")
          .in("org.apache.pekko.remote.artery.ReusableInboundEnvelope")
          .fields(ContextFields.class)
          .method("init")
          .takes(
              "org.apache.pekko.actor.InternalActorRef",
              "org.apache.pekko.actor.ActorRef",
              "long",
              "int",
              "java.lang.String",
              "byte",
              "org.apache.pekko.remote.artery.EnvelopeBuffer",
              "org.apache.pekko.remote.artery.OutboundContext",
              "int")
          .weave("RemoteAdvice$Forget")
          .method("clear")
          .weave("RemoteAdvice$Forget")
          .in("org.apache.pekko.remote.artery.RemoteInstruments")
          .fields(NumberFields.class)
          .method("nonEmpty")
          .weave("RemoteAdvice$NonEmpty")
          .method("serialize")
          .takes("org.apache.pekko.remote.artery.OutboundEnvelope", "java.nio.ByteBuffer")
          .weave("RemoteAdvice$Write")
          .method("deserialize")
          .takes("org.apache.pekko.remote.artery.InboundEnvelope")
          .weave("RemoteAdvice$Read")
          .in("org.apache.pekko.remote.artery.MessageDispatcher")
          .method("dispatch")
          .takes("org.apache.pekko.remote.artery.InboundEnvelope")
          .called("artery.MessageDispatcher.dispatch")
          .weave("RemoteAdvice$Dispatch")
          .in("org.apache.pekko.remote.RemoteActorRefProvider$RemoteDeadLetterActorRef")
          .method("$bang")
          .takes("java.lang.Object", "org.apache.pekko.actor.ActorRef")
          .weave("RemoteAdvice$GivenUp")
          .build();

  /** Messages, bytes and time at the border to other nodes. */
  static final Feature SERIALIZER =
      Feature.named("SERIALIZER")
          .usedWith("org.apache.pekko.remote.MessageSerializer$")
          .needs(Need.METRICS, Need.REMOTE_METRICS)
          .in("org.apache.pekko.remote.MessageSerializer$")
          .method("serializeForArtery")
          .takes(
              "org.apache.pekko.serialization.Serialization",
              "org.apache.pekko.remote.artery.OutboundEnvelope",
              "org.apache.pekko.remote.artery.HeaderBuilder",
              "org.apache.pekko.remote.artery.EnvelopeBuffer")
          .weave("SerializerAdvice$Serialize")
          .method("deserializeForArtery")
          .takes(
              "org.apache.pekko.actor.ExtendedActorSystem",
              "long",
              "org.apache.pekko.serialization.Serialization",
              "int",
              "java.lang.String",
              "org.apache.pekko.remote.artery.EnvelopeBuffer")
          .weave("SerializerAdvice$Deserialize")
          .build();

  static final List<Feature> ALL = List.of(ARTERY, SERIALIZER);

  private RemoteFeatures() {}
}
