// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.ActorTelemetry;
import io.deimos.recorder.CellFields;
import io.deimos.recorder.EnvelopeFields;
import io.deimos.recorder.Hooks;
import io.deimos.recorder.RefFields;
import io.deimos.recorder.ThreadFields;
import io.deimos.recorder.ThreadState;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.dispatch.Envelope;
import org.apache.pekko.dispatch.MonitorableThreadFactory;
import org.jspecify.annotations.Nullable;

/** Copied around {@code ActorCell.invoke}. */
@SuppressWarnings("unused") // copied into Pekko
final class InvokeAdvice {
  private InvokeAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static @Nullable ThreadState enter(
      @Advice.This ActorCell cell, @Advice.Argument(0) Envelope envelope) {
    ActorTelemetry telemetry = ((CellFields) (Object) cell).deimos$telemetry();
    if (telemetry == null) {
      return null;
    }
    Thread thread = Thread.currentThread();
    ActorRef sender = envelope.sender();
    return Hooks.begin(
        thread instanceof MonitorableThreadFactory.PekkoForkJoinWorkerThread
            ? ((ThreadFields) (Object) thread).deimos$state()
            : null,
        telemetry,
        (EnvelopeFields) (Object) envelope,
        envelope.message(),
        sender,
        sender == null ? null : ((RefFields) (Object) sender).deimos$identity());
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Enter @Nullable ThreadState state) {
    if (state != null) {
      Hooks.end(state);
    }
  }
}
