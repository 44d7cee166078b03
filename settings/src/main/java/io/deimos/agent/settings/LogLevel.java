// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The least severe log events that are noted. */
public enum LogLevel {
  DEBUG(5),
  INFO(9),
  WARN(13),
  ERROR(17);

  private final int severity;

  LogLevel(int severity) {
    this.severity = severity;
  }

  /** As OpenTelemetry numbers them. */
  public int severity() {
    return severity;
  }
}
