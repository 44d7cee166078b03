// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.hooks.EntityHooks;
import io.deimos.recorder.hooks.RemoteHooks;
import io.deimos.recorder.woven.ContextFields;
import java.nio.ByteBuffer;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorSelectionMessage;
import org.apache.pekko.actor.DeadLetter;
import org.apache.pekko.remote.EndpointManager;
import org.apache.pekko.remote.artery.InboundEnvelope;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.jspecify.annotations.Nullable;

/** Copied into Artery, where messages leave and come in. */
@SuppressWarnings("unused") // copied into Pekko
final class RemoteAdvice {
  private RemoteAdvice() {}

  /** {@code ReusableOutboundEnvelope.init}. */
  static final class Leaving {
    private Leaving() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This Object envelope,
        @Advice.Argument(0) @Nullable Object recipient,
        @Advice.Argument(1) @Nullable Object message) {
      RemoteHooks.leaving(
          (ContextFields) envelope,
          message instanceof ActorSelectionMessage selection ? selection.msg() : message);
      EntityHooks.leaving(recipient, message);
    }
  }

  /** {@code ReusableOutboundEnvelope.copy}, {@code SequencedMessage.asFirst}. */
  static final class Copied {
    private Copied() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object envelope, @Advice.Return @Nullable Object copy) {
      RemoteHooks.copied((ContextFields) envelope, copy);
    }
  }

  /** {@code ShardingEnvelope.<init>}, right before it is sent. */
  static final class Wrapped {
    private Wrapped() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Argument(1) @Nullable Object message) {
      RemoteHooks.wrapped(message);
    }
  }

  /** {@code ConsumerControllerImpl.deliver}. */
  static final class Delivered {
    private Delivered() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(1) @Nullable Object message) {
      RemoteHooks.delivered(message);
    }
  }

  /** {@code WorkPullingProducerControllerImpl$Unconfirmed.msg}, read to be sent again. */
  static final class Unconfirmed {
    private Unconfirmed() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object work) {
      RemoteHooks.unconfirmed((ContextFields) work);
    }
  }

  /** {@code RemoteDeadLetterActorRef.!}. */
  static final class GivenUp {
    private GivenUp() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(@Advice.Argument(0) @Nullable Object message) {
      Object given = message instanceof DeadLetter letter ? letter.message() : message;
      return given instanceof OutboundEnvelope || given instanceof EndpointManager.Send
          ? RemoteHooks.givenUp(given)
          : null;
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        RemoteHooks.delivered(state);
      }
    }
  }

  /** {@code clear} of both envelopes, {@code ReusableInboundEnvelope.init}. */
  static final class Forget {
    private Forget() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This Object envelope) {
      ContextHooks.forget((ContextFields) envelope);
    }
  }

  /** {@code RemoteInstruments.nonEmpty}: Artery asks it before it looks at metadata at all. */
  static final class NonEmpty {
    private NonEmpty() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(readOnly = false) boolean nonEmpty) {
      nonEmpty = true;
    }
  }

  /** {@code RemoteInstruments.serialize}. */
  static final class Write {
    private Write() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static int enter(@Advice.Argument(1) ByteBuffer buffer) {
      return buffer.position();
    }

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This Object instruments,
        @Advice.Argument(0) @Nullable Object envelope,
        @Advice.Argument(1) ByteBuffer buffer,
        @Advice.Enter int start) {
      RemoteHooks.write(instruments, envelope, buffer, start);
    }
  }

  /** {@code RemoteInstruments.deserialize}. */
  static final class Read {
    private Read() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) InboundEnvelope envelope) {
      if ((envelope.flags() & 1) != 0) {
        RemoteHooks.read(envelope, envelope.envelopeBuffer().byteBuffer(), 28);
      }
    }
  }

  /** {@code MessageDispatcher.dispatch}. */
  static final class Dispatch {
    private Dispatch() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(@Advice.Argument(0) Object envelope) {
      return RemoteHooks.arrived(RemoteHooks.ARRIVED, envelope);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        RemoteHooks.delivered(state);
      }
    }
  }
}
