// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The words behind the operation in the name of the span of a message or an ask. */
public enum SpanName {
  MESSAGE,
  DESTINATION;

  @Override
  public String toString() {
    return name().toLowerCase(java.util.Locale.ROOT);
  }
}
