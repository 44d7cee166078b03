// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.base.Hook;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.spans.LogLine;

/**
 * Called by woven code when a logging library is given an event that is enabled, on the thread that
 * logs. Logging of actors past Pekko's own is counted here. Safe for any thread.
 */
public final class LogHooks {
  public static final Hook LOGBACK = Hook.named("logback.Logger.callAppenders");
  public static final Hook LOG4J = Hook.named("log4j.Logger.log");
  public static final Hook LOG4J_MESSAGE = Hook.named("log4j.Logger.logMessage");
  public static final Hook LOG4J_ASYNC = Hook.named("log4j.AsyncLogger.log");
  public static final Hook LOG4J_ASYNC_MESSAGE = Hook.named("log4j.AsyncLogger.logMessage");

  private static final int TRACE = 1;
  private static final String PEKKOS_LOGGERS = "org.apache.pekko.event.";
  private static final String PEKKOS_EVENTS = "org.apache.pekko.event.Logging$";

  private LogHooks() {}

  /**
   * An event for Logback.
   *
   * @param level in its numbers, of which the severe ones are high
   */
  public static void byLogback(int level) {
    LOGBACK.fires();
    ThreadState s = ThreadState.current();
    if (s != null) {
      logged(s, LogLine.level(ofLogback(level)));
    }
  }

  /**
   * An event for Log4j.
   *
   * @param level in its numbers, of which the severe ones are low
   */
  public static void byLog4j(Hook hook, int level) {
    hook.fires();
    ThreadState s = ThreadState.current();
    if (s != null) {
      logged(s, LogLine.level(ofLog4j(level)));
    }
  }

  /** The severity, as OpenTelemetry numbers them, of a level of Logback's. */
  static int ofLogback(int level) {
    return level >= 40_000
        ? LogEvents.ERROR
        : level >= 30_000
            ? LogEvents.WARNING
            : level >= 20_000 ? LogEvents.INFO : level >= 10_000 ? LogEvents.DEBUG : TRACE;
  }

  /** The same of a level of Log4j's. */
  static int ofLog4j(int level) {
    return level <= 200
        ? LogEvents.ERROR
        : level <= 300
            ? LogEvents.WARNING
            : level <= 400 ? LogEvents.INFO : level <= 500 ? LogEvents.DEBUG : TRACE;
  }

  private static void logged(ThreadState s, String level) {
    ActorTelemetry actor = s.actor();
    if (actor != null && !actor.kind().isHidden() && !isCounted(s, actor.kind())) {
      Metric.LOG_EVENTS.tally().add(1, level);
    }
  }

  /** Lines that an actor writes for Pekko's logging were counted where they were published. */
  static boolean isCounted(ThreadState s, ActorKind kind) {
    if (kind.isPekkos() && PekkoNames.of(kind.className()).startsWith(PEKKOS_LOGGERS)) {
      return true;
    }
    MessageCell cell = s.cell();
    return cell != null && PekkoNames.of(cell.message.name()).startsWith(PEKKOS_EVENTS);
  }
}
