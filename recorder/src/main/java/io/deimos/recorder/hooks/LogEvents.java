// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.LogLine;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Notes what an actor logs as an event of the span of the message at work. Off unless asked for;
 * then for each log event that is severe enough a look at the thread's state, and some objects if a
 * span is recorded. Safe for any thread.
 */
public final class LogEvents {
  private static final int OFF = Integer.MAX_VALUE;

  // severities, as OpenTelemetry numbers them
  static final int ERROR = 17;
  static final int WARNING = 13;
  static final int INFO = 9;
  static final int DEBUG = 5;

  private static volatile int least = OFF;
  private static volatile int maxLength = 1;

  private LogEvents() {}

  /**
   * Sets what is noted.
   *
   * @param severity the least, as OpenTelemetry numbers them: 5 debug, 9 info, 13 warn, 17 error; 0
   *     for nothing
   * @param mostCharacters how much is kept of each message: 1 or more
   */
  public static void note(int severity, int mostCharacters) {
    maxLength = mostCharacters;
    least = severity == 0 ? OFF : severity;
  }

  /** Whether an event of this severity, logged here and now, is noted. */
  public static boolean areWanted(int severity) {
    if (severity < least) {
      return false;
    }
    ThreadState s = ThreadState.current();
    return s != null && s.isRecording();
  }

  /** The arguments that Pekko's classic logging was given; the objects are the application's. */
  static void byPekko(
      int severity, String logger, @Nullable Object message, @Nullable Throwable cause) {
    boolean none = cause == null || cause.getClass().getName().endsWith("$NoCause$");
    try {
      logged(severity, logger, String.valueOf(message), none ? null : String.valueOf(cause));
    } catch (Throwable t) {
      logged(severity, logger, "(toString failed: " + t.getClass().getName() + ")", null);
    }
  }

  /**
   * Something was logged on this thread. {@link #areWanted} was asked before.
   *
   * @param severity as OpenTelemetry numbers them
   * @param logger its name
   * @param thrown class and message of what was logged along, or null
   */
  public static void logged(int severity, String logger, String message, @Nullable String thrown) {
    ThreadState s = ThreadState.current();
    if (s == null || !s.isRecording()) {
      return;
    }
    Map<Attribute, String> facts = new LinkedHashMap<>();
    facts.put(Attribute.LOG_LEVEL, LogLine.level(severity));
    facts.put(Attribute.LOG_LOGGER, logger);
    facts.put(Attribute.LOG_MESSAGE, Content.cut(message, maxLength));
    if (thrown != null) {
      facts.put(Attribute.LOG_EXCEPTION, Content.cut(thrown, maxLength));
    }
    OpenRecord r = s.at.record;
    s.at.noted(new Incident(EventName.LOG, Clock.now(), facts, "", r.hi, r.lo, s.spanId()));
  }
}
