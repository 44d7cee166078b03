// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.woven.EnvelopeFields;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.dispatch.MonitorableThreadFactory;

/** Copied to the end of {@code Envelope.<init>}. */
@SuppressWarnings("unused") // copied into Pekko
final class SendAdvice {
  private SendAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  static void exit(@Advice.This Object envelope) {
    Thread thread = Thread.currentThread();
    Hooks.send(
        (EnvelopeFields) envelope,
        thread instanceof MonitorableThreadFactory.PekkoForkJoinWorkerThread
            ? ((ThreadFields) (Object) thread).deimos$state()
            : ThreadState.current());
  }
}
