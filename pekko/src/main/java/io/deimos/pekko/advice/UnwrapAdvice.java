// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.LifecycleHooks;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.apache.pekko.dispatch.MonitorableThreadFactory;
import org.jspecify.annotations.Nullable;

/** Copied to where the user's message comes out of Pekko's wrapper. */
@SuppressWarnings("unused") // copied into Pekko
final class UnwrapAdvice {
  private UnwrapAdvice() {}

  /** {@code ActorAdapter.handleMessage}. */
  static final class Argument {
    private Argument() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable Object message) {
      Thread thread = Thread.currentThread();
      LifecycleHooks.unwrapped(
          message,
          thread instanceof MonitorableThreadFactory.PekkoForkJoinWorkerThread
              ? ((ThreadFields) (Object) thread).deimos$state()
              : ThreadState.current());
    }
  }

  /** {@code interceptTimerMsg}, classic and typed. */
  static final class Returned {
    private Returned() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object message) {
      LifecycleHooks.timerSays(message);
    }
  }
}
