// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.function.Predicate;

/**
 * One hook in Pekko, by the name of its hook point: whether this process should have it, whether it
 * has fired, and whether the self-test has shown it to work. This is the only registry of hooks;
 * {@link HookReport} reads it.
 *
 * <p>A hook that the self-test can see by nothing else is a constant of the class in {@code hooks}
 * that its advice calls, and {@link #fires} whenever it is called. The others are known by name
 * only.
 *
 * <p><b>Threads.</b> Any. {@link #fires} is called on actors' threads: a read, and one write in the
 * life of the process, so that threads share the line.
 */
public final class Hook {
  private static final ConcurrentMap<String, Hook> ALL = new ConcurrentHashMap<>();

  private final String name;
  private volatile boolean fired;
  private volatile boolean expected;
  private volatile boolean shown;
  private volatile boolean untested;
  private volatile boolean tested;

  private Hook(String name) {
    this.name = name;
  }

  /** The hook of a hook point, as {@code Feature} names that. */
  public static Hook named(String name) {
    return ALL.computeIfAbsent(name, Hook::new);
  }

  /** Woven code has called this hook. */
  public void fires() {
    if (!fired) {
      fired = true;
    }
  }

  public boolean hasFired() {
    return fired;
  }

  /** This process's Pekko has the hook point, or should have it. */
  void expect() {
    expected = true;
  }

  /**
   * The self-test has shown that the hook works, or that it does not. A hook that does not work on
   * one Pekko of the process stays missing, whatever is shown on another.
   */
  void show(boolean works) {
    expected = true;
    shown = works && (shown || !tested);
    tested = true;
    untested = false;
  }

  /** Another Pekko is tested: that the hook fired on one before is no proof. */
  void forget() {
    fired = false;
  }

  /** The self-test has no way to try the hook with this Pekko, so nothing is expected of it. */
  void cannotBeTried() {
    if (!tested) {
      expected = false;
      untested = true;
    }
  }

  boolean isUntested() {
    return untested;
  }

  boolean isExpected() {
    return expected;
  }

  boolean isMissing() {
    return expected && !shown;
  }

  /** Names, in alphabetical order. */
  static List<String> names(Predicate<Hook> of) {
    return ALL.values().stream()
        .filter(of)
        .map(hook -> hook.name)
        .sorted(Comparator.naturalOrder())
        .toList();
  }
}
