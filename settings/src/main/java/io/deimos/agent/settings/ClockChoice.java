// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The source of time. */
public enum ClockChoice {
  /** The processor's counter where it can be had and trusted, else {@link #NANO_TIME}. */
  AUTO,

  /** {@link System#nanoTime}. */
  NANO_TIME,

  /** As {@link #AUTO}, but it is a problem, and told, if it cannot be had. */
  TSC;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
