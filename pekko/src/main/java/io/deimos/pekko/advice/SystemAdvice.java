// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.LifecycleHooks;
import net.bytebuddy.asm.Advice;
import org.apache.pekko.actor.ActorSystemImpl;

/** Copied to the end of {@code ActorSystemImpl.start}. */
@SuppressWarnings("unused") // copied into Pekko
final class SystemAdvice {
  private SystemAdvice() {}

  @Advice.OnMethodExit(suppress = Throwable.class)
  static void exit(@Advice.This ActorSystemImpl system) {
    LifecycleHooks.systemStarted(system, system.name());
  }
}
