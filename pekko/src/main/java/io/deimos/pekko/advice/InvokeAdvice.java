// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.ThreadFields;
import io.deimos.recorder.hooks.Hooks;
import io.deimos.recorder.woven.CellFields;
import io.deimos.recorder.woven.EnvelopeFields;
import io.deimos.recorder.woven.RefFields;
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
  static @Nullable Frame enter(@Advice.This ActorCell cell, @Advice.Argument(0) Envelope envelope) {
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
  static void exit(@Advice.Enter @Nullable Frame state) {
    if (state != null) {
      Hooks.end(state);
    }
  }
}
