// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.LifecycleHooks;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied to where typed supervision would hide a failure from Pekko's core. */
@SuppressWarnings("unused") // copied into Pekko
final class TypedAdvice {
  private TypedAdvice() {}

  /** {@code Behavior.interpretMessage}. */
  static final class Failed {
    private Failed() {}

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Thrown @Nullable Throwable error) {
      if (error != null) {
        LifecycleHooks.failedHere(error);
      }
    }
  }

  /** {@code RestartSupervisor.restartCompleted}. */
  static final class Restarted {
    private Restarted() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit() {
      LifecycleHooks.restartedHere();
    }
  }
}
