// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.WrappedMessage;
import org.apache.pekko.actor.typed.internal.adapter.ActorRefAdapter;
import org.apache.pekko.actor.typed.internal.adapter.ActorSystemAdapter;
import org.apache.pekko.pattern.PromiseActorRef;
import org.apache.pekko.util.Timeout;
import org.jspecify.annotations.Nullable;

/** Copied around {@code AskPattern.PromiseRef.ask}. */
@SuppressWarnings("unused") // copied into Pekko
final class TypedAskAdvice {
  private TypedAskAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static @Nullable Frame enter(
      @Advice.FieldValue("promiseRef") @Nullable PromiseActorRef promiseRef,
      @Advice.Argument(0) @Nullable Object target,
      @Advice.Argument(1) @Nullable Object request,
      @Advice.Argument(2) Timeout timeout) {
    if (promiseRef == null) { // who is asked has stopped already, and the ask has failed
      return null;
    }
    Object classic = target;
    if (target instanceof ActorRefAdapter<?> adapter) {
      classic = adapter.classicRef();
    } else if (target instanceof ActorSystemAdapter<?> system) {
      classic = system.system().guardian();
    }
    return AskHooks.send(
        AskHooks.ASK_TYPED,
        ((RefFields) (Object) promiseRef).deimos$identity(),
        classic,
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
