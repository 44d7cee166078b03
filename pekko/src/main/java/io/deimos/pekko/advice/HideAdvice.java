// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.Hooks;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.dispatch.MonitorableThreadFactory;
import org.jspecify.annotations.Nullable;

/** Copied around {@code ExecutorServiceDelegate.execute}. */
@SuppressWarnings("unused") // copied into Pekko
final class HideAdvice {
  private HideAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static @Nullable Frame enter() {
    Thread thread = Thread.currentThread();
    return Hooks.hide(
        thread instanceof MonitorableThreadFactory.PekkoForkJoinWorkerThread
            ? ((ThreadFields) (Object) thread).deimos$state()
            : ThreadState.current());
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter @Nullable Frame state) {
    if (state != null) {
      Hooks.unhide(state);
    }
  }
}
