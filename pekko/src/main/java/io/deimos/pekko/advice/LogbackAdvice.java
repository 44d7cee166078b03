// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import ch.qos.logback.classic.spi.ILoggingEvent;
import io.deimos.recorder.hooks.LogHooks;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied before {@code ch.qos.logback.classic.Logger.callAppenders}. */
@SuppressWarnings("unused") // copied into Logback
final class LogbackAdvice {
  private LogbackAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter(@Advice.Argument(0) @Nullable ILoggingEvent event) {
    LogHooks.byLogback(event == null ? 0 : event.getLevel().toInt());
  }
}
