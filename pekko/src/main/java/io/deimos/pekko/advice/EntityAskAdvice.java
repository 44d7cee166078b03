// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.AskHooks;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.pattern.PromiseActorRef;
import org.apache.pekko.util.Timeout;
import org.jspecify.annotations.Nullable;

/** Copied around {@code EntityRefImpl.EntityPromiseRef.ask}. */
@SuppressWarnings("unused") // copied into Pekko
final class EntityAskAdvice {
  private EntityAskAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static @Nullable Frame enter(
      @Advice.FieldValue("promiseRef") @Nullable PromiseActorRef promiseRef,
      @Advice.Argument(0) @Nullable Object shardRegion,
      @Advice.Argument(2) @Nullable Object request,
      @Advice.Argument(3) Timeout timeout) {
    if (promiseRef == null) { // who is asked has stopped already, and the ask has failed
      return null;
    }
    return AskHooks.send(
        AskHooks.ASK_ENTITY,
        ((RefFields) (Object) promiseRef).deimos$identity(),
        shardRegion,
        request,
        timeout.duration().toNanos());
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter @Nullable Frame state) {
    if (state != null) {
      AskHooks.sent(state);
    }
  }
}
