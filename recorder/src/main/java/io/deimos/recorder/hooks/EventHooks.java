// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.base.PekkoNames;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.spans.Ask;
import io.deimos.recorder.trouble.EntityAsks;
import io.deimos.recorder.trouble.Incidents;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Counts what an actor system publishes: dead letters, unhandled messages, messages dropped by full
 * mailboxes and queues, log events, quarantines. Safe for any thread.
 */
public final class EventHooks {
  /** Why a message was dropped for which a bounded mailbox had no room. */
  public static final String MAILBOX_FULL = "mailbox_full";

  private static final String SELF_TEST = "io.deimos.pekko.selftest.Published";
  private static final String SUPPRESSED = "suppressed";
  private static final String PEER = "peer";
  private static final String THIS = "this";
  private static final String[] LEVELS = {"", "error", "warning", "info", "debug"};

  /** OpenTelemetry's numbers of them. */
  private static final int[] SEVERITIES = {
    0, LogEvents.ERROR, LogEvents.WARNING, LogEvents.INFO, LogEvents.DEBUG
  };

  private static final LongAdder SELF_TESTS = new LongAdder();

  private EventHooks() {}

  /** How often the self-test's own event was published. */
  public static long selfTests() {
    return SELF_TESTS.sum();
  }

  /**
   * A message is given up. Lines of the self-test are not counted.
   *
   * @param inside the message that Pekko wrapped into this one; null if it wrapped none
   * @param sender the sender's identity
   * @param recipient identity of whom it was for
   * @param full whether the recipient has a bounded mailbox, and so has not stopped: one that has
   *     stopped has none of its own any more
   */
  public static void deadLetter(
      Object message,
      @Nullable Object inside,
      @Nullable Object sender,
      @Nullable Object recipient,
      boolean full) {
    if (Incidents.isSelfTests(message, inside, sender, recipient)) {
      return;
    }
    if (full) {
      count(Metric.DROPPED, MAILBOX_FULL);
      return;
    }
    count(
        Metric.DEAD_LETTERS,
        recipient instanceof Ask
            ? "late_answer"
            : recipient instanceof ActorTelemetry ? "stopped" : "no_actor");
  }

  /**
   * The same message, for those who are told of incidents.
   *
   * @param inside the message that Pekko wrapped into this one; null if it wrapped none
   * @param sender Pekko's reference, with its identity
   * @param recipient the same
   * @param full as above
   */
  public static void deadLetter(
      Object message,
      @Nullable Object inside,
      @Nullable Object sender,
      @Nullable Object senderIdentity,
      @Nullable Object recipient,
      @Nullable Object recipientIdentity,
      boolean full) {
    Incidents.deadLetter(
        message, inside, sender, senderIdentity, recipient, recipientIdentity, full);
  }

  /** A message is given up that Pekko does not expect to be received. */
  public static void suppressed(Object message) {
    if (MessageClasses.of(message.getClass()).isHidden()) {
      return; // the self-test's: a system has ended beside it
    }
    count(Metric.DEAD_LETTERS, SUPPRESSED);
  }

  /**
   * An actor does not handle a message.
   *
   * @param recipient its identity
   */
  public static void unhandled(@Nullable Object recipient) {
    count(
        Metric.UNHANDLED,
        recipient instanceof ActorTelemetry known ? known.kind().className() : "unknown");
  }

  /**
   * A full mailbox or queue drops a message.
   *
   * @param reason in Pekko's words
   */
  public static void dropped(@Nullable String reason, @Nullable Object message) {
    EntityAsks.givenUp(message);
    String why = reason == null ? "" : reason;
    count(
        Metric.DROPPED,
        why.contains("send queue")
            ? "remote_queue_full"
            : why.contains("mailbox") ? MAILBOX_FULL : "other");
  }

  /**
   * Something is logged, on the thread that logs it.
   *
   * @param level in Pekko's numbers
   * @param message the application's own object
   * @param cause what was logged along, if anything
   */
  public static void logged(
      int level, @Nullable String source, @Nullable Object message, @Nullable Throwable cause) {
    if (level > 0 && level < LEVELS.length) {
      count(Metric.LOG_EVENTS, LEVELS[level]);
      if (LogEvents.areWanted(SEVERITIES[level])) {
        LogEvents.byPekko(SEVERITIES[level], String.valueOf(source), message, cause);
      }
      if (KeptLogs.are(SEVERITIES[level])) {
        KeptLogs.byPekko(SEVERITIES[level], String.valueOf(source), message, cause);
      }
    }
  }

  /** Anything else is published; known by its class's name, which may be an optional module's. */
  public static void published(Object event) {
    switch (PekkoNames.of(event.getClass().getName())) {
      case "org.apache.pekko.remote.artery.QuarantinedEvent",
          "org.apache.pekko.remote.artery.GracefulShutdownQuarantinedEvent",
          "org.apache.pekko.remote.QuarantinedEvent",
          "org.apache.pekko.remote.GracefulShutdownQuarantinedEvent" -> {
        count(Metric.QUARANTINES, PEER);
        ClusterEvents.quarantined(PEER, event);
      }
      case "org.apache.pekko.remote.artery.ThisActorSystemQuarantinedEvent",
          "org.apache.pekko.remote.ThisActorSystemQuarantinedEvent" -> {
        count(Metric.QUARANTINES, THIS);
        ClusterEvents.quarantined(THIS, event);
      }
      case SELF_TEST -> SELF_TESTS.increment();
      default -> ClusterEvents.published(event);
    }
  }

  private static void count(Metric metric, String value) {
    metric.tally().add(1, value);
  }

  /** Those that Pekko logs too: what it suppresses has a count of its own. */
  public static long deadLetters() {
    return Metric.DEAD_LETTERS.tally().sum() - suppressedDeadLetters();
  }

  /** Messages given up that nobody expected to be received. */
  public static long suppressedDeadLetters() {
    return Metric.DEAD_LETTERS.tally().of(SUPPRESSED);
  }

  public static long unhandled() {
    return Metric.UNHANDLED.tally().sum();
  }

  public static long dropped() {
    return Metric.DROPPED.tally().sum();
  }
}
