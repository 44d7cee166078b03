// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.base;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * The hooks that there should be on this process's Pekko, and those that were seen to work. Written
 * by the weaver and the self-test, read by the page, the log and the report. Safe for any thread.
 */
public final class HookReport {
  /** How far the self-test has come. */
  public enum State {
    /** No actor system has been started, or its self-test waits or is under way. */
    PENDING,
    /** Every hook fired. */
    OK,
    /** At least one did not. */
    MISSING
  }

  private static boolean done;
  private static final List<String> pekkoVersions = new ArrayList<>();

  private HookReport() {}

  /** A hook that must fire. */
  public static synchronized void expect(String hook) {
    Hook.named(hook).expect();
  }

  /** A hook was shown to fire, or shown not to. */
  public static synchronized void checked(String hook, boolean fired) {
    Hook.named(hook).show(fired);
  }

  /**
   * A hook is there, but what the self-test would try it with is not: another version of Pekko, or
   * a module that the application does not have. Nothing is known of it, so it is not missed.
   */
  public static synchronized void untested(String hook) {
    Hook.named(hook).cannotBeTried();
  }

  /** The self-test of another Pekko begins, after one is done. */
  public static synchronized void again(Collection<String> hooks) {
    if (done) {
      hooks.forEach(hook -> Hook.named(hook).forget());
    }
  }

  /** The self-test is over, on one Pekko of perhaps several. */
  public static synchronized void done(String onPekkoVersion) {
    done = true;
    if (!pekkoVersions.contains(onPekkoVersion) && !onPekkoVersion.isEmpty()) {
      pekkoVersions.add(onPekkoVersion);
    }
  }

  public static synchronized State state() {
    if (!done) {
      return State.PENDING;
    }
    return missing().isEmpty() ? State.OK : State.MISSING;
  }

  /**
   * The hooks that were not seen to fire, by name; before the self-test's end, all not yet seen.
   */
  public static synchronized List<String> missing() {
    return Hook.names(Hook::isMissing);
  }

  /** The hooks that could not be tried here, by name. */
  public static synchronized List<String> untested() {
    return Hook.names(Hook::isUntested);
  }

  public static synchronized Collection<String> hooks() {
    return Hook.names(Hook::isExpected);
  }

  /** The versions that each tested Pekko says it has; empty before the self-test's end. */
  public static synchronized String pekkoVersion() {
    return String.join(", ", pekkoVersions);
  }
}
