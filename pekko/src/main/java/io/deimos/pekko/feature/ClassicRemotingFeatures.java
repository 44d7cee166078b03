// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import java.util.List;

/** Messages from node to node where Artery is switched off. */
final class ClassicRemotingFeatures {
  /** The same where Artery is switched off. */
  static final Feature CLASSIC_REMOTING =
      Feature.named("CLASSIC_REMOTING")
          .usedWith("org.apache.pekko.remote.EndpointWriter")
          .needs(Need.TRACING, Need.REMOTE)
          .in("org.apache.pekko.remote.WireFormats$SerializedMessage")
          .fields(ContextFields.class)
          .in("org.apache.pekko.remote.EndpointManager$Send")
          .fields(ContextFields.class)
          .constructor()
          .takes(
              "java.lang.Object",
              "org.apache.pekko.actor.ActorRef",
              "org.apache.pekko.remote.RemoteActorRef",
              "scala.Option")
          .weave("CallbackAdvice$Register")
          .in("org.apache.pekko.remote.EndpointWriter")
          .method("writeSend")
          .takes("org.apache.pekko.remote.EndpointManager$Send")
          .weave("ClassicAdvice$Sending")
          .in("org.apache.pekko.remote.transport.PekkoPduProtobufCodec$")
          .method("constructMessage")
          .takes(
              "org.apache.pekko.actor.Address",
              "org.apache.pekko.actor.ActorRef",
              "org.apache.pekko.remote.WireFormats$SerializedMessage",
              "org.apache.pekko.actor.ActorRef",
              "scala.Option",
              "scala.Option")
          .weave("ClassicAdvice$Construct")
          .method("decodeMessage")
          .takes(
              "org.apache.pekko.util.ByteString",
              "org.apache.pekko.remote.RemoteActorRefProvider",
              "org.apache.pekko.actor.Address")
          .weave("ClassicAdvice$Decode")
          .in("org.apache.pekko.remote.DefaultMessageDispatcher")
          .method("dispatch")
          .takes(
              "org.apache.pekko.actor.InternalActorRef",
              "org.apache.pekko.actor.Address",
              "org.apache.pekko.remote.WireFormats$SerializedMessage",
              "org.apache.pekko.actor.ActorRef")
          .weave("ClassicAdvice$Dispatch")
          .build();

  static final List<Feature> ALL = List.of(CLASSIC_REMOTING);

  private ClassicRemotingFeatures() {}
}
