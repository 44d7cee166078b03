// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.Hooks;
import net.bytebuddy.asm.Advice;

/** Copied before {@code ActorCell.systemInvoke}. */
@SuppressWarnings("unused") // copied into Pekko
final class SystemInvokeAdvice {
  private SystemInvokeAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter() {
    Hooks.systemMessage();
  }
}
