// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.ContextFields;
import io.deimos.recorder.StashHooks;
import net.bytebuddy.asm.Advice;
import net.bytebuddy.implementation.bytecode.assign.Assigner;
import org.jspecify.annotations.Nullable;

/** Copied into {@code StashBufferImpl}. */
@SuppressWarnings("unused") // copied into Pekko
final class StashAdvice {
  private StashAdvice() {}

  /** {@code dropHeadForUnstash}. */
  static final class Next {
    private Next() {}

    @Advice.OnMethodExit(suppress = Throwable.class)
    static void exit(@Advice.Return(typing = Assigner.Typing.DYNAMIC) @Nullable Object node) {
      if (node != null) {
        StashHooks.next((ContextFields) node);
      }
    }
  }

  /** Both {@code unstash}. */
  static final class Done {
    private Done() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static long enter() {
      return StashHooks.begin();
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(@Advice.Enter long token) {
      StashHooks.done(token);
    }
  }
}
