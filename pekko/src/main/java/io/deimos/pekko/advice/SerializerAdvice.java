// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.SerializationHooks;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.remote.RemoteActorRef;
import org.apache.pekko.remote.artery.EnvelopeBuffer;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.jspecify.annotations.Nullable;

/** Copied around the two methods in which Artery serializes and deserializes a message. */
@SuppressWarnings("unused") // copied into Pekko
final class SerializerAdvice {
  private SerializerAdvice() {}

  /** {@code MessageSerializer.serializeForArtery}. */
  static final class Serialize {
    private Serialize() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return SerializationHooks.now();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter long begun,
        @Advice.Argument(1) @Nullable OutboundEnvelope message,
        @Advice.Argument(3) @Nullable EnvelopeBuffer buffer) {
      RemoteActorRef to = message == null ? null : message.recipient();
      SerializationHooks.serialized(
          to == null ? null : to.path().address(),
          message == null ? null : message.message(),
          begun,
          buffer == null ? -1 : buffer.byteBuffer().position());
    }
  }

  /** {@code MessageSerializer.deserializeForArtery}. */
  static final class Deserialize {
    private Deserialize() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return SerializationHooks.now();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.Enter long begun,
        @Advice.Argument(1) long peer,
        @Advice.Argument(5) @Nullable EnvelopeBuffer buffer) {
      SerializationHooks.deserialized(
          peer, begun, buffer == null ? -1 : buffer.byteBuffer().limit());
    }
  }
}
