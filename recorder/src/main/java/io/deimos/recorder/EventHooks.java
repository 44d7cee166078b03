// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.lang.reflect.Method;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what an actor system publishes: dead letters, unhandled messages, messages dropped by full
 * mailboxes and queues, log events, quarantines. Safe for any thread.
 */
public final class EventHooks {
  private static final String SELF_TEST = "io.deimos.pekko.selftest.Published";
  private static final String LOG_EVENT = "org.apache.pekko.event.Logging$";
  private static final LongAdder SELF_TESTS = new LongAdder();

  private EventHooks() {}

  /** How often the self-test's own event was published. */
  public static long selfTests() {
    return SELF_TESTS.sum();
  }

  /** An event stream publishes an event. */
  public static void published(Object event) {
    String name = event.getClass().getName();
    switch (name) {
      case "org.apache.pekko.actor.DeadLetter" -> count(Metric.DEAD_LETTERS, to(event));
      case "org.apache.pekko.actor.SuppressedDeadLetter" ->
          count(Metric.DEAD_LETTERS, "suppressed");
      case "org.apache.pekko.actor.UnhandledMessage" ->
          count(Metric.UNHANDLED, classOf(recipient(event)));
      case "org.apache.pekko.actor.Dropped" -> count(Metric.DROPPED, why(event));
      case "org.apache.pekko.remote.artery.QuarantinedEvent",
          "org.apache.pekko.remote.artery.GracefulShutdownQuarantinedEvent" ->
          Metric.QUARANTINES.tally().add(1);
      case SELF_TEST -> SELF_TESTS.increment();
      default -> {
        if (name.startsWith(LOG_EVENT)) {
          logged(name.substring(LOG_EVENT.length()));
        }
      }
    }
  }

  private static void count(Metric metric, String value) {
    metric.tally().add(1, value);
  }

  private static void logged(String event) {
    for (String level : new String[] {"Error", "Warning", "Info", "Debug"}) {
      if (event.startsWith(level)) {
        count(Metric.LOG_EVENTS, level.toLowerCase(java.util.Locale.ROOT));
        return;
      }
    }
  }

  /** What became of whom a dead letter was for. */
  private static String to(Object letter) {
    if (!(recipient(letter) instanceof RefFields ref)) {
      return "unknown";
    }
    Object identity = ref.deimos$identity();
    if (identity instanceof Ask) {
      return "late_answer";
    }
    return identity instanceof ActorTelemetry ? "stopped" : "no_actor";
  }

  private static String classOf(@Nullable Object recipient) {
    return recipient instanceof RefFields ref
            && ref.deimos$identity() instanceof ActorTelemetry known
        ? known.kind().className()
        : "unknown";
  }

  private static String why(Object dropped) {
    Object reason = get(dropped, "reason");
    return reason != null && reason.toString().contains("send queue")
        ? "remote_queue_full"
        : reason != null && reason.toString().contains("mailbox") ? "mailbox_full" : "other";
  }

  private static @Nullable Object recipient(Object event) {
    return get(event, "recipient");
  }

  private static @Nullable Object get(Object event, String what) {
    try {
      Method method = event.getClass().getMethod(what);
      return method.invoke(event);
    } catch (ReflectiveOperationException e) {
      return null;
    }
  }

  public static long deadLetters() {
    return Metric.DEAD_LETTERS.tally().sum();
  }

  public static long unhandled() {
    return Metric.UNHANDLED.tally().sum();
  }

  public static long dropped() {
    return Metric.DROPPED.tally().sum();
  }
}
