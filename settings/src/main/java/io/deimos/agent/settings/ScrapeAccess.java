// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** Who may read {@code /metrics}. */
public enum ScrapeAccess {
  /** Whoever reaches 127.0.0.1, but no web site. */
  OPEN,

  /** Only who sends the token of this process. */
  TOKEN
}
