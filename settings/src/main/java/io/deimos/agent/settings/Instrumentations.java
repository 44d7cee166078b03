// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The instrumentations beside actors. */
public enum Instrumentations {
  /** All libraries that the OpenTelemetry agent knows. */
  ALL,

  /** Nothing but what actors need: thread pools, and the application's OpenTelemetry API. */
  ACTORS;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
