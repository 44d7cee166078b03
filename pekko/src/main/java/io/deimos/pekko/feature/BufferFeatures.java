// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.feature;

import io.deimos.pekko.feature.Feature.Need;
import io.deimos.recorder.woven.ContextFields;
import java.util.List;

/** Messages that Pekko's own actors put aside. */
final class BufferFeatures {
  /**
   * Messages that Pekko's own actors keep until they know where to send them keep their sender's
   * context.
   */
  static final Feature MESSAGE_BUFFER =
      Feature.named("MESSAGE_BUFFER")
          .usedWith("org.apache.pekko.util.MessageBuffer")
          .needs(Need.TRACING)
          .in("org.apache.pekko.util.MessageBuffer$Node")
          .fields(ContextFields.class)
          .constructor()
          .takes(
              "org.apache.pekko.util.MessageBuffer$Node",
              "java.lang.Object",
              "org.apache.pekko.actor.ActorRef")
          .weave("BufferAdvice$Kept")
          .method("apply")
          .takes("scala.Function2")
          .weave("BufferAdvice$Sending")
          .in("org.apache.pekko.util.MessageBuffer")
          .fields(ContextFields.class)
          .method("append")
          .takes("java.lang.Object", "org.apache.pekko.actor.ActorRef")
          .weave("BufferAdvice$First")
          .build();

  static final List<Feature> ALL = List.of(MESSAGE_BUFFER);

  private BufferFeatures() {}
}
