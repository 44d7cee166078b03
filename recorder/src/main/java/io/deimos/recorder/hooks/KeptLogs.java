// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.ContentRule;
import io.deimos.recorder.actors.InForce;
import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.base.LogText;
import io.deimos.recorder.base.Texts;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.spans.Content;
import io.deimos.recorder.spans.LogLine;
import io.deimos.recorder.trace.Trace;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.concurrent.atomic.LongAdder;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the log records of actors and traces, where somebody wants them; else one comparison for
 * each event that is enabled. So many a second at most, errors and warnings apart from the others.
 * The application's code is called in no case but one, the redactor. Safe for any thread.
 */
public final class KeptLogs {
  private static final int OFF = Integer.MAX_VALUE;
  private static final int MAX_NAME = 200;
  private static final int MAX_PER_SECOND = 500;

  private static volatile int least = OFF;
  private static volatile Consumer<LogLine> keeper = line -> {};
  private static volatile RateLimit severe = new RateLimit(MAX_PER_SECOND);
  private static volatile RateLimit others = new RateLimit(MAX_PER_SECOND);
  private static final LongAdder LEFT_OUT = new LongAdder();

  /** Whether a message's {@code getMessage} is the JDK's own, which only reads a field. */
  private static final ClassValue<Boolean> PLAIN =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          try {
            return type.getMethod("getMessage").getDeclaringClass() == Throwable.class;
          } catch (ReflectiveOperationException | LinkageError e) {
            return false;
          }
        }
      };

  private KeptLogs() {}

  /** Sets who keeps records; it must not wait. */
  public static void keeper(Consumer<LogLine> by) {
    severe = new RateLimit(MAX_PER_SECOND);
    others = new RateLimit(MAX_PER_SECOND);
    keeper = by;
  }

  /**
   * Sets which are kept.
   *
   * @param severity the least, as OpenTelemetry numbers them; 0 for none
   */
  public static void from(int severity) {
    least = severity == 0 ? OFF : severity;
  }

  /** Records that came too fast for any to be kept. */
  public static long leftOut() {
    return LEFT_OUT.sum();
  }

  /** Whether an event of Logback's is kept, by its number for the level. */
  public static boolean areOfLogback(int level) {
    return LogHooks.ofLogback(level) >= least;
  }

  /** Whether an event of Log4j's is kept, by its number for the level. */
  public static boolean areOfLog4j(int level) {
    return LogHooks.ofLog4j(level) >= least;
  }

  /**
   * Whether a message of Log4j's has a pattern and values that may be asked for: all but a few do.
   */
  public static boolean isPlain(Object message) {
    String name = message.getClass().getName();
    return name.startsWith("org.apache.logging.log4j.message.")
        && (name.endsWith("ParameterizedMessage") || name.endsWith("SimpleMessage"));
  }

  /** Whether an event of this severity is kept. */
  static boolean are(int severity) {
    return severity >= least;
  }

  /**
   * An event of Logback's has been through its appenders. {@link #areOfLogback} was asked before.
   *
   * @param library sees what Logback keeps to itself
   */
  public static void byLogback(
      Lookup library,
      Object event,
      int level,
      @Nullable String logger,
      @Nullable String pattern,
      @Nullable Object @Nullable [] given,
      @Nullable String thrown) {
    int severity = LogHooks.ofLogback(level);
    ThreadState s = isForwarded() ? null : begin(severity);
    if (s != null) {
      take(s, severity, logger, LogText.of(library, event, pattern, given), thrown);
    }
  }

  /**
   * An event of Log4j's has been through its appenders; likewise.
   *
   * @param pattern null if only its own code could tell
   */
  public static void byLog4j(
      Lookup library,
      Object message,
      int level,
      @Nullable String logger,
      @Nullable String pattern,
      @Nullable Object @Nullable [] given,
      @Nullable Throwable thrown) {
    int severity = LogHooks.ofLog4j(level);
    ThreadState s = isForwarded() ? null : begin(severity);
    if (s != null) {
      String text = LogText.of(library, message, pattern, given);
      take(s, severity, logger, text, thrown == null ? null : said(thrown));
    }
  }

  /** An event of Pekko's classic logging, which another actor writes. {@link #are} was asked. */
  static void byPekko(
      int severity, String logger, @Nullable Object message, @Nullable Throwable thrown) {
    ThreadState s = begin(severity);
    if (s != null) {
      String text =
          message instanceof String said ? said : LogText.filled("{}", new Object[] {message});
      boolean some = thrown != null && !thrown.getClass().getName().endsWith("$NoCause$");
      take(s, severity, logger, text, thrown != null && some ? said(thrown) : null);
    }
  }

  /** The state of a thread that logs for an actor or a trace, if one more is kept; else null. */
  private static @Nullable ThreadState begin(int severity) {
    ThreadState s = ThreadState.current();
    if (s == null || s.keepsLog || InForce.rules().texts() == null) {
      return null; // what the redactor logs is not kept: it would be redacted again
    }
    s.captureCurrent();
    ActorTelemetry actor = s.actor();
    if (actor == null ? s.capturedTrace == null : actor.kind().isHidden()) {
      return null;
    }
    if (!(severity >= LogEvents.WARNING ? severe : others).tryTake()) {
      LEFT_OUT.increment();
      return null;
    }
    return s;
  }

  /** Whether Pekko's own logger writes this for an actor that was heard before. */
  private static boolean isForwarded() {
    ThreadState s = ThreadState.current();
    if (s == null) {
      return false;
    }
    ActorTelemetry actor = s.actor();
    return actor != null && LogHooks.isCounted(s, actor.kind());
  }

  private static void take(
      ThreadState s, int severity, @Nullable String logger, String text, @Nullable String thrown) {
    ContentRule rule = InForce.rules().texts();
    if (rule == null) {
      return;
    }
    s.captureCurrent();
    Trace trace = s.capturedTrace;
    long span = s.capturedSpan;
    ActorTelemetry actor = s.actor();
    s.keepsLog = true;
    try {
      String shown = Content.shown(text, rule);
      if (shown != null) {
        keeper.accept(
            new LogLine(
                System.currentTimeMillis(),
                severity,
                Texts.cut(logger == null ? "" : logger, MAX_NAME),
                shown,
                thrown == null ? null : Content.shown(thrown, rule),
                new LogLine.Place(
                    actor == null ? "" : actor.path(),
                    actor == null ? "" : actor.className(),
                    "",
                    trace == null ? 0 : trace.hi(),
                    trace == null ? 0 : trace.lo(),
                    trace == null ? 0 : span)));
      }
    } finally {
      s.keepsLog = false;
    }
  }

  private static String said(Throwable thrown) {
    String name = thrown.getClass().getName();
    String message = PLAIN.get(thrown.getClass()) ? thrown.getMessage() : null;
    return message == null ? name : name + ": " + message;
  }
}
