// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.hooks.LifecycleHooks;
import io.deimos.recorder.woven.ContextFields;
import io.deimos.recorder.woven.RefFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.dispatch.sysmsg.Unwatch;
import org.jspecify.annotations.Nullable;

/** Copied around {@code ActorCell.systemInvoke}. */
@SuppressWarnings("unused") // copied into Pekko
final class SystemInvokeAdvice {
  private SystemInvokeAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static @Nullable Frame enter(@Advice.Argument(0) @Nullable Object message) {
    if (message instanceof Unwatch unwatch
        && (Object) unwatch.watcher() instanceof RefFields watcher) {
      LifecycleHooks.visited(watcher.deimos$identity());
    }
    return Hooks.systemMessage(message instanceof ContextFields creation ? creation : null);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter @Nullable Frame state) {
    if (state != null) {
      ContextHooks.ran(state);
    }
  }
}
