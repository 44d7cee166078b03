// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.ClassicHooks;
import io.deimos.recorder.hooks.RemoteHooks;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorSelectionMessage;
import org.apache.pekko.remote.EndpointManager;
import org.apache.pekko.remote.transport.PekkoPduCodec;
import org.apache.pekko.util.ByteString;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.Tuple2;

/** Copied into classic remoting, where messages leave and come in. */
@SuppressWarnings("unused") // copied into Pekko
final class ClassicAdvice {
  private ClassicAdvice() {}

  /** {@code EndpointWriter.writeSend}. */
  static final class Sending {
    private Sending() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(@Advice.Argument(0) EndpointManager.Send send) {
      Object message = send.message();
      return ClassicHooks.sending(
          send, message instanceof ActorSelectionMessage selection ? selection.msg() : message);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        RemoteHooks.delivered(state);
      }
    }
  }

  /** {@code PekkoPduProtobufCodec.constructMessage}. */
  static final class Construct {
    private Construct() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(readOnly = false) ByteString message) {
      byte[] appendix = ClassicHooks.appendix();
      if (appendix != null) {
        message = message.concat(ByteString.fromArrayUnsafe(appendix));
      }
    }
  }

  /** {@code PekkoPduProtobufCodec.decodeMessage}. */
  static final class Decode {
    private Decode() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.Argument(0) ByteString raw,
        @Advice.Return Tuple2<?, Option<PekkoPduCodec.Message>> decoded) {
      ClassicHooks.received(
          raw.asByteBuffer(),
          decoded._2().isDefined() ? decoded._2().get().serializedMessage() : null);
    }
  }

  /** {@code DefaultMessageDispatcher.dispatch}. */
  static final class Dispatch {
    private Dispatch() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(@Advice.Argument(2) @Nullable Object message) {
      return RemoteHooks.arrived(RemoteHooks.ARRIVED_CLASSIC, message);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        RemoteHooks.delivered(state);
      }
    }
  }
}
