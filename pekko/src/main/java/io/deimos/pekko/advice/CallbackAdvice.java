// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.Frame;
import io.deimos.recorder.hooks.ContextHooks;
import io.deimos.recorder.woven.ContextFields;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied into what is registered on one thread and run on another. */
@SuppressWarnings("unused") // copied into Pekko
final class CallbackAdvice {
  private CallbackAdvice() {}

  /** The constructor. */
  static final class Register {
    private Register() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object callback) {
      ContextHooks.register((ContextFields) callback);
    }
  }

  /** The method that runs it. */
  static final class Run {
    private Run() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable Frame enter(@Advice.This Object callback) {
      return ContextHooks.run((ContextFields) callback);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.This Object callback, @Advice.Enter @Nullable Frame state) {
      if (state != null) {
        ContextHooks.ran(state);
      }
      ContextHooks.forget((ContextFields) callback);
    }
  }
}
