// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.Hooks;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.dispatch.MonitorableThreadFactory;
import org.jspecify.annotations.Nullable;

/**
 * Copied around {@code Mailbox.run}. The exit does next to nothing: a mailbox with messages left
 * has just been queued again, and until this worker is back in its pool to take it, any other may
 * take it away to another core.
 */
@SuppressWarnings("unused") // copied into Pekko
final class MailboxAdvice {
  private MailboxAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static ThreadState enter() {
    Thread thread = Thread.currentThread();
    return Hooks.runBegins(
        thread instanceof MonitorableThreadFactory.PekkoForkJoinWorkerThread
            ? ((ThreadFields) (Object) thread).deimos$state()
            : null);
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter @Nullable ThreadState state) {
    if (state != null) {
      Hooks.runEnds(state);
    }
  }
}
