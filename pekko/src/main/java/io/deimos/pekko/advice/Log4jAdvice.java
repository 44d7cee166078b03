// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.advice;

import io.deimos.recorder.hooks.KeptLogs;
import io.deimos.recorder.hooks.LogHooks;
import java.lang.invoke.MethodHandles;
import net.bytebuddy.asm.Advice;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.message.Message;
import org.jspecify.annotations.Nullable;

/**
 * Copied into Log4j's {@code Logger} and {@code AsyncLogger}, which do not call each other's: an
 * event goes through one of them, by one of these.
 */
@SuppressWarnings({"unused", "deprecation"}) // copied into Log4j, also into older ones
final class Log4jAdvice {
  private Log4jAdvice() {}

  /** {@code Logger.log}, where the logger may be told who called it. */
  static final class Log {
    private Log() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable Level level) {
      LogHooks.byLog4j(LogHooks.LOG4J, level == null ? 0 : level.intLevel());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.This Logger logger,
        @Advice.Argument(0) @Nullable Level level,
        @Advice.Argument(4) @Nullable Message message,
        @Advice.Argument(5) @Nullable Throwable thrown) {
      if (level != null && message != null && KeptLogs.areOfLog4j(level.intLevel())) {
        KeptLogs.byLog4j(
            MethodHandles.lookup(),
            message,
            level.intLevel(),
            logger.getName(),
            KeptLogs.isPlain(message) ? message.getFormat() : null,
            KeptLogs.isPlain(message) ? message.getParameters() : null,
            thrown);
      }
    }
  }

  /** {@code AsyncLogger.log}, likewise. */
  static final class AsyncLog {
    private AsyncLog() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(0) @Nullable Level level) {
      LogHooks.byLog4j(LogHooks.LOG4J_ASYNC, level == null ? 0 : level.intLevel());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.This Logger logger,
        @Advice.Argument(0) @Nullable Level level,
        @Advice.Argument(4) @Nullable Message message,
        @Advice.Argument(5) @Nullable Throwable thrown) {
      if (level != null && message != null && KeptLogs.areOfLog4j(level.intLevel())) {
        KeptLogs.byLog4j(
            MethodHandles.lookup(),
            message,
            level.intLevel(),
            logger.getName(),
            KeptLogs.isPlain(message) ? message.getFormat() : null,
            KeptLogs.isPlain(message) ? message.getParameters() : null,
            thrown);
      }
    }
  }

  /** {@code Logger.logMessage}, which bridges from other libraries call. */
  static final class LogMessage {
    private LogMessage() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(1) @Nullable Level level) {
      LogHooks.byLog4j(LogHooks.LOG4J_MESSAGE, level == null ? 0 : level.intLevel());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.This Logger logger,
        @Advice.Argument(1) @Nullable Level level,
        @Advice.Argument(3) @Nullable Message message,
        @Advice.Argument(4) @Nullable Throwable thrown) {
      if (level != null && message != null && KeptLogs.areOfLog4j(level.intLevel())) {
        KeptLogs.byLog4j(
            MethodHandles.lookup(),
            message,
            level.intLevel(),
            logger.getName(),
            KeptLogs.isPlain(message) ? message.getFormat() : null,
            KeptLogs.isPlain(message) ? message.getParameters() : null,
            thrown);
      }
    }
  }

  /** {@code AsyncLogger.logMessage}, likewise. */
  static final class AsyncLogMessage {
    private AsyncLogMessage() {}

    @Advice.OnMethodEnter(suppress = Throwable.class)
    static void enter(@Advice.Argument(1) @Nullable Level level) {
      LogHooks.byLog4j(LogHooks.LOG4J_ASYNC_MESSAGE, level == null ? 0 : level.intLevel());
    }

    @Advice.OnMethodExit(onThrowable = Throwable.class, suppress = Throwable.class)
    static void exit(
        @Advice.This Logger logger,
        @Advice.Argument(1) @Nullable Level level,
        @Advice.Argument(3) @Nullable Message message,
        @Advice.Argument(4) @Nullable Throwable thrown) {
      if (level != null && message != null && KeptLogs.areOfLog4j(level.intLevel())) {
        KeptLogs.byLog4j(
            MethodHandles.lookup(),
            message,
            level.intLevel(),
            logger.getName(),
            KeptLogs.isPlain(message) ? message.getFormat() : null,
            KeptLogs.isPlain(message) ? message.getParameters() : null,
            thrown);
      }
    }
  }
}
