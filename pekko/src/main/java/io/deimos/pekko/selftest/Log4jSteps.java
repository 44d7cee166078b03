// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.selftest;

import java.lang.reflect.Constructor;
import org.apache.logging.log4j.Marker;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.LoggerContext;
import org.apache.logging.log4j.core.async.AsyncLogger;
import org.apache.logging.log4j.message.Message;
import org.apache.logging.log4j.message.ParameterizedMessageFactory;

/** Loggers of Log4j's that are not whole, and so write nothing. */
final class Log4jSteps {
  private Log4jSteps() {}

  static void run(Steps steps) {
    LogSteps.check(steps, "log4j.Logger.log", () -> new Broken().log());
    LogSteps.check(
        steps,
        "log4j.Logger.logMessage",
        () -> new Broken().logMessage(LogSteps.NAME, null, null, new Unsaid(), null));
  }

  /** An event of which no instrumentation can make a log record. */
  private static final class Unsaid implements Message {
    private static final long serialVersionUID = 1;

    @Override
    public String getFormattedMessage() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Object[] getParameters() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Throwable getThrowable() {
      throw new UnsupportedOperationException();
    }
  }

  /** Has no configuration. */
  private static final class Broken extends Logger {
    private static final long serialVersionUID = 1;

    Broken() {
      super(new LoggerContext(LogSteps.NAME), LogSteps.NAME, ParameterizedMessageFactory.INSTANCE);
      privateConfig = null;
    }

    void log() {
      log(null, (Marker) null, LogSteps.NAME, null, new Unsaid(), null);
    }
  }

  /** For appenders that hand events to another thread: one that has none. */
  static final class Async {
    private Async() {}

    static void run(Steps steps) {
      LogSteps.check(
          steps,
          "log4j.AsyncLogger.log",
          () -> broken().log(null, (Marker) null, LogSteps.NAME, null, new Unsaid(), null));
      LogSteps.check(
          steps,
          "log4j.AsyncLogger.logMessage",
          () -> broken().logMessage(LogSteps.NAME, null, null, new Unsaid(), null));
    }

    private static AsyncLogger broken() throws ReflectiveOperationException {
      Constructor<?> constructor = AsyncLogger.class.getDeclaredConstructors()[0];
      constructor.setAccessible(true);
      return (AsyncLogger)
          constructor.newInstance(
              new LoggerContext(LogSteps.NAME),
              LogSteps.NAME,
              ParameterizedMessageFactory.INSTANCE,
              null);
    }
  }
}
