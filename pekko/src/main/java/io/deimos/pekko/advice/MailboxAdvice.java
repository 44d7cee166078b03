// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.Hooks;
import io.deimos.recorder.ThreadFields;
import io.deimos.recorder.ThreadState;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.dispatch.MonitorableThreadFactory;

/** Copied around {@code Mailbox.run}. */
@SuppressWarnings("unused") // copied into Pekko
final class MailboxAdvice {
  private MailboxAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter() {
    Thread thread = Thread.currentThread();
    Hooks.runBegins(
        thread instanceof MonitorableThreadFactory.PekkoForkJoinWorkerThread
            ? ((ThreadFields) (Object) thread).deimos$state()
            : null);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit() {
    Thread thread = Thread.currentThread();
    Hooks.runEnds(
        thread instanceof MonitorableThreadFactory.PekkoForkJoinWorkerThread
            ? ((ThreadFields) (Object) thread).deimos$state()
            : ThreadState.current());
  }
}
