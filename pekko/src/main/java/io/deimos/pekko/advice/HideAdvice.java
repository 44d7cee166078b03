// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.Hooks;
import io.deimos.recorder.ThreadState;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied around {@code ExecutorServiceDelegate.execute}. */
@SuppressWarnings("unused") // copied into Pekko
final class HideAdvice {
  private HideAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static @Nullable ThreadState enter() {
    return Hooks.hide();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter @Nullable ThreadState state) {
    if (state != null) {
      Hooks.unhide(state);
    }
  }
}
