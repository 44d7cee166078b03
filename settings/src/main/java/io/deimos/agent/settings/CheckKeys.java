// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The thresholds of the rules of {@code check}, a line each: {@code deimos.check.<rule>.<name>}.
 * All may change at run time. Their words are in {@code keys.md}, as those of {@link Keys}.
 */
public final class CheckKeys {
  private static final List<Key<?>> DECLARED = new ArrayList<>();

  public static final Key<Integer> MAILBOX_MESSAGES = count("mailbox-grows.messages", 1_000);
  public static final Key<Double> MAILBOX_RATE = rate("mailbox-grows.per-second", 10);

  public static final Key<Double> BLOCKED_SHARE = share("thread-blocked.share", 0.1);
  public static final Key<Duration> BLOCKED_TIME = seconds("thread-blocked.time", 2);

  public static final Key<Integer> RESTARTS = count("restart-loop.restarts", 5);

  public static final Key<Integer> DEAD_LETTERS = count("dead-letters-repeat.messages", 20);

  private CheckKeys() {}

  static List<Key<?>> all() {
    return List.copyOf(DECLARED);
  }

  private static Key<Integer> count(String name, int otherwise) {
    return add(name, ValueType.number(1, 1_000_000_000), otherwise);
  }

  private static Key<Double> rate(String name, double otherwise) {
    return add(name, ValueType.decimal(0.001, 1e9), otherwise);
  }

  private static Key<Double> share(String name, double otherwise) {
    return add(name, ValueType.ratio(), otherwise);
  }

  private static Key<Duration> seconds(String name, long otherwise) {
    return add(
        name,
        ValueType.duration(Duration.ofMillis(1), Duration.ofHours(1)),
        Duration.ofSeconds(otherwise));
  }

  private static <T> Key<T> add(String name, ValueType<T> type, T otherwise) {
    Key<T> key = new Key<>("deimos.check." + name, type, otherwise, Key.When.LIVE);
    DECLARED.add(key);
    return key;
  }
}
