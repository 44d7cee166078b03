// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import io.deimos.recorder.hooks.KeptLogs;
import io.deimos.recorder.hooks.LogHooks;
import java.lang.invoke.MethodHandles;
import net.bytebuddy.asm.Advice;
import org.jspecify.annotations.Nullable;

/** Copied around {@code ch.qos.logback.classic.Logger.callAppenders}. */
@SuppressWarnings("unused") // copied into Logback
final class LogbackAdvice {
  private LogbackAdvice() {}

  @Advice.OnMethodEnter(suppress = Throwable.class)
  static void enter(@Advice.Argument(0) @Nullable ILoggingEvent event) {
    LogHooks.byLogback(event == null ? 0 : event.getLevel().toInt());
  }

  @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
  static void exit(@Advice.Argument(0) @Nullable ILoggingEvent event) {
    if (event != null && KeptLogs.areOfLogback(event.getLevel().toInt())) {
      IThrowableProxy thrown = event.getThrowableProxy();
      KeptLogs.byLogback(
          MethodHandles.lookup(),
          event,
          event.getLevel().toInt(),
          event.getLoggerName(),
          event.getMessage(),
          event.getArgumentArray(),
          thrown == null ? null : thrown.getClassName() + ": " + thrown.getMessage());
    }
  }
}
