// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** By which way spans leave the process. */
public enum ExportWay {
  /** Straight to the collector where the configuration allows it, else through the SDK. */
  AUTO,

  /** Through the SDK's span processors. */
  SDK,

  /** As {@link #AUTO}, but it is a problem, and told, if the configuration does not allow it. */
  DIRECT;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
