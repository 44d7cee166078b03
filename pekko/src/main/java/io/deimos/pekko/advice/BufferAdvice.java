// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.BufferHooks;
import io.deimos.recorder.ContextFields;
import io.deimos.recorder.ContextHooks;
import io.deimos.recorder.ThreadState;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied into {@code MessageBuffer.Node}. */
@SuppressWarnings("unused") // copied into Pekko
final class BufferAdvice {
  private BufferAdvice() {}

  /** The constructor. */
  static final class Kept {
    private Kept() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.This Object node) {
      BufferHooks.kept((ContextFields) node);
    }
  }

  /** {@code apply}, which sends the message on. */
  static final class Sending {
    private Sending() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static @Nullable ThreadState enter(@Advice.This Object node) {
      return BufferHooks.sending((ContextFields) node);
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter @Nullable ThreadState state) {
      if (state != null) {
        ContextHooks.ran(state);
      }
    }
  }
}
