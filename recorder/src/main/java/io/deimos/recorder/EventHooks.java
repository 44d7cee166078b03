// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.concurrent.atomic.LongAdder;

/**
 * Counts what an actor system publishes about lost messages: dead letters, unhandled messages,
 * messages dropped by full mailboxes. Safe for any thread.
 */
public final class EventHooks {
  private static final LongAdder DEAD_LETTERS = new LongAdder();
  private static final LongAdder UNHANDLED = new LongAdder();
  private static final LongAdder DROPPED = new LongAdder();

  private static final String SELF_TEST = "io.deimos.pekko.selftest.Published";
  private static final LongAdder SELF_TESTS = new LongAdder();

  private EventHooks() {}

  /** How often the self-test's own event was published. */
  public static long selfTests() {
    return SELF_TESTS.sum();
  }

  /** An event stream publishes an event. */
  public static void published(Object event) {
    switch (event.getClass().getName()) {
      case "org.apache.pekko.actor.DeadLetter" -> DEAD_LETTERS.increment();
      case "org.apache.pekko.actor.UnhandledMessage" -> UNHANDLED.increment();
      case "org.apache.pekko.actor.Dropped" -> DROPPED.increment();
      case SELF_TEST -> SELF_TESTS.increment();
      default -> {}
    }
  }

  public static long deadLetters() {
    return DEAD_LETTERS.sum();
  }

  public static long unhandled() {
    return UNHANDLED.sum();
  }

  public static long dropped() {
    return DROPPED.sum();
  }
}
