// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

/**
 * A circuit breaker: its name, and the state that it last entered. Hangs on Pekko's object. Safe
 * for any thread.
 */
final class Breaker {
  private final String madeBy;
  private volatile String name;
  private volatile String state = "closed";

  /**
   * @param madeBy class that made it, by which it is told until it is named
   */
  Breaker(String madeBy) {
    this.madeBy = madeBy;
    this.name = madeBy;
  }

  void named(String id) {
    name = id;
  }

  void isIn(String now) {
    state = now;
  }

  String name() {
    return name;
  }

  String state() {
    return state;
  }

  /** True for one of the self-test's, which nobody is told of. */
  boolean isHidden() {
    return madeBy.startsWith("io.deimos.pekko.selftest.");
  }
}
