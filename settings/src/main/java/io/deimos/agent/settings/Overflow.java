// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The choice of spans to give up when they are made faster than they can leave. */
public enum Overflow {
  /** The span that finds no room. */
  DROP_NEWEST,

  /** New traces, while there is still room for the spans of those that have begun. */
  THIN_TRACES;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT).replace('_', '-');
  }
}
