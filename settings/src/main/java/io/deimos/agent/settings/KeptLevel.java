// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The least severe log records that the page keeps. */
public enum KeptLevel {
  OFF(0),
  ERROR(17),
  WARN(13),
  INFO(9),
  DEBUG(5);

  private final int severity;

  KeptLevel(int severity) {
    this.severity = severity;
  }

  /** As OpenTelemetry numbers them; 0 for none. */
  public int severity() {
    return severity;
  }
}
