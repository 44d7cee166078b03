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

  /** A check knows ten minutes of the past, and the last point may be late. */
  private static final Duration PAST = Duration.ofMinutes(9);

  public static final Key<Integer> MAILBOX_MESSAGES = count("mailbox-grows.messages", 1_000);
  public static final Key<Double> MAILBOX_RATE = rate("mailbox-grows.per-second", 10);

  public static final Key<Double> BLOCKED_SHARE = share("thread-blocked.share", 0.1);
  public static final Key<Duration> BLOCKED_TIME =
      time("thread-blocked.time", Duration.ofSeconds(2), Duration.ofHours(1));

  public static final Key<Integer> RESTARTS = count("restart-loop.restarts", 5);

  public static final Key<Integer> DEAD_LETTERS = count("dead-letters-repeat.messages", 20);

  public static final Key<Integer> ASKS_LATER = count("ask-times-out-later.times", 3);
  public static final Key<Integer> CHAINED_ACTORS = count("ask-chain.actors", 3);
  public static final Key<Double> ASK_NEAR = share("ask-timeout-tight.share", 0.8);
  public static final Key<Integer> LARGE_MAILBOX =
      count("mailbox-unbounded-large.messages", 10_000);
  public static final Key<Integer> LARGE_STASH = count("stash-unbounded-large.messages", 1_000);
  public static final Key<Double> BUSY_SHARE = share("bottleneck.busy", 0.8);
  public static final Key<Duration> BUSY_TIME =
      time("bottleneck.time", Duration.ofSeconds(30), PAST);
  public static final Key<Double> POOL_SHARE = share("pool-used-as-one.share", 0.9);
  public static final Key<Integer> HIDDEN_FAILURES =
      count("supervisor-hides-failures.failures", 10);
  public static final Key<Integer> TICKS = count("timer-overtakes.ticks", 10);
  public static final Key<Integer> UNSTOPPED = count("actors-never-stopped.actors", 1_000);
  public static final Key<Duration> UNSTOPPED_TIME =
      time("actors-never-stopped.time", Duration.ofMinutes(5), PAST);
  public static final Key<Double> SKEW_SHARE = share("skew.share", 0.5);
  public static final Key<Double> SKEW_RATE = rate("skew.per-second", 100);
  public static final Key<Integer> ENTITY_STARTS = count("passivation-thrashes.starts", 5);

  public static final Key<Double> DISPATCHER_SHORT = share("dispatcher-threads.short", 0.5);
  public static final Key<Double> DISPATCHER_CPU = share("dispatcher-threads.cpu", 0.8);
  public static final Key<Integer> DISPATCHER_IDLE = count("dispatcher-threads.idle", 64);
  public static final Key<Duration> THROUGHPUT_TURN =
      time("dispatcher-throughput.turn", Duration.ofMillis(100), Duration.ofHours(1));

  public static final Key<Integer> LARGE_MESSAGES = count("large-messages.messages", 20);

  public static final Key<Duration> TWICE_TIME =
      time("alive-twice.time", Duration.ofSeconds(10), Duration.ofHours(1));
  public static final Key<Duration> VIEWS_TIME =
      time("cluster-views-differ.time", Duration.ofSeconds(60), Duration.ofHours(1));
  public static final Key<Duration> APART_TIME =
      time("clusters-apart.time", Duration.ofSeconds(60), Duration.ofHours(1));

  public static final Key<Integer> TELEMETRY_SPANS = count("telemetry-costs.spans", 100);
  public static final Key<Integer> TELEMETRY_SERIES = count("telemetry-costs.series", 100);

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

  private static Key<Duration> time(String name, Duration otherwise, Duration most) {
    return add(name, ValueType.duration(Duration.ofMillis(1), most), otherwise);
  }

  private static <T> Key<T> add(String name, ValueType<T> type, T otherwise) {
    Key<T> key = new Key<>("deimos.check." + name, type, otherwise, Key.When.LIVE);
    DECLARED.add(key);
    return key;
  }
}
