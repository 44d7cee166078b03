// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The kind of the span of a message. */
public enum SpanKindChoice {
  CONSUMER,
  INTERNAL,
  SERVER;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
