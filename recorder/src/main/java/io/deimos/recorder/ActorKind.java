// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * One class of actors in one actor system, with the counts that are too rare to need a thread's own
 * cell. Safe for any thread.
 */
public final class ActorKind {
  /** How many exception classes are told apart; the rest count as {@code other}. */
  private static final int MAX_ERROR_TYPES = 64;

  private final int id;
  private final String system;
  private final String className;
  private final boolean silent;
  private final boolean provisional;
  private final boolean hidden;
  private final LongAdder started = new LongAdder();
  private final LongAdder stopped = new LongAdder();
  private final LongAdder restarted = new LongAdder();
  private final LongAdder failed = new LongAdder();
  private final Map<String, LongAdder> failures = new ConcurrentHashMap<>();

  ActorKind(int id, String system, String className, boolean silent, boolean provisional) {
    this.id = id;
    this.system = system;
    this.className = className;
    this.silent = silent;
    this.provisional = provisional;
    this.hidden = className.startsWith("io.deimos.pekko.selftest.");
  }

  public int id() {
    return id;
  }

  public String system() {
    return system;
  }

  public String className() {
    return className;
  }

  /** True for an actor that only passes the context on. */
  public boolean isSilent() {
    return silent;
  }

  /** True for the self-test's own actors, which nobody is told of. */
  public boolean isHidden() {
    return hidden;
  }

  /** True while the behaviour of a typed actor, and so its class, is not yet known. */
  public boolean isProvisional() {
    return provisional;
  }

  public long started() {
    return started.sum();
  }

  public long stopped() {
    return stopped.sum();
  }

  public long live() {
    return Math.max(0, started.sum() - stopped.sum());
  }

  public long restarted() {
    return restarted.sum();
  }

  public long failed() {
    return failed.sum();
  }

  /** Failures by exception class. */
  public Map<String, Long> failures() {
    Map<String, Long> copy = new java.util.TreeMap<>();
    failures.forEach((type, count) -> copy.put(type, count.sum()));
    return copy;
  }

  void countStarted(int by) {
    started.add(by);
  }

  void countStopped() {
    stopped.increment();
  }

  void countRestarted() {
    restarted.increment();
  }

  void countFailed(Throwable error) {
    failed.increment();
    String type = error.getClass().getName();
    LongAdder count = failures.get(type);
    if (count == null) {
      count =
          failures.computeIfAbsent(
              failures.size() < MAX_ERROR_TYPES ? type : "other", t -> new LongAdder());
    }
    count.increment();
  }
}
