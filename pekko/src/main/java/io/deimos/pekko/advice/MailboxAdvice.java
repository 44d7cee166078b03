// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.Hooks;
import net.bytebuddy.asm.Advice;

/** Copied around {@code Mailbox.run}. */
@SuppressWarnings("unused") // copied into Pekko
final class MailboxAdvice {
  private MailboxAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter() {
    Hooks.runBegins();
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit() {
    Hooks.runEnds();
  }
}
