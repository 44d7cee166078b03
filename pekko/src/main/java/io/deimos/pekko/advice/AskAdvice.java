// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.WrappedMessage;
import org.apache.pekko.dispatch.QueueBasedMessageQueue;
import org.apache.pekko.pattern.PromiseActorRef;
import org.apache.pekko.util.Timeout;
import org.jspecify.annotations.Nullable;
import scala.Option;
import scala.util.Failure;
import scala.util.Try;

/** Copied into {@code PromiseActorRef}: the temporary actor of an ask. */
@SuppressWarnings("unused") // copied into Pekko
final class AskAdvice {
  private AskAdvice() {}

  /** {@code <init>}. */
  static final class Created {
    private Created() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(
        @Advice.This Object promiseRef, @Advice.Argument(0) ActorRefProvider provider) {
      AskHooks.created((RefFields) promiseRef, provider.guardian());
    }
  }

  /** {@code ask} of an actor. */
  static final class Ask {
    private Ask() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(
        @Advice.This Object promiseRef,
        @Advice.Argument(0) @Nullable Object target,
        @Advice.Argument(1) @Nullable Object request,
        @Advice.Argument(2) Timeout timeout) {
      return AskHooks.send(
          AskHooks.ASK,
          ((RefFields) promiseRef).deimos$identity(),
          target,
          request instanceof WrappedMessage wrapped ? wrapped.message() : request,
          timeout.duration().toNanos());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        AskHooks.sent(state);
      }
    }
  }

  /** {@code ask} of a selection. */
  static final class AskSelection {
    private AskSelection() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(
        @Advice.This Object promiseRef,
        @Advice.Argument(0) @Nullable Object target,
        @Advice.Argument(1) @Nullable Object request,
        @Advice.Argument(2) Timeout timeout) {
      return AskHooks.send(
          AskHooks.ASK_SELECTION,
          ((RefFields) promiseRef).deimos$identity(),
          target,
          request instanceof WrappedMessage wrapped ? wrapped.message() : request,
          timeout.duration().toNanos());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable Frame state) {
      if (state != null) {
        AskHooks.sent(state);
      }
    }
  }

  /** {@code stop}. */
  static final class Ended {
    private Ended() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.This PromiseActorRef promiseRef) {
      Option<Try<Object>> answer = promiseRef.result().future().value();
      Object identity = ((RefFields) (Object) promiseRef).deimos$identity();
      Throwable error =
          answer.isDefined() && answer.get() instanceof Failure<?> failure
              ? failure.exception()
              : null;
      Object mailbox = null;
      if (AskHooks.unanswered(identity, error) instanceof ActorRefWithCell asked
          && asked.underlying() instanceof ActorCell cell) {
        mailbox = cell.mailbox().messageQueue();
        if (mailbox instanceof QueueBasedMessageQueue queue) {
          mailbox = queue.queue();
        }
      }
      AskHooks.ended(identity, error, mailbox);
    }
  }
}
