// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The readers of the page. */
public enum PageAccessMode {
  /** Everybody who reaches 127.0.0.1, but no web site. */
  OPEN,

  /** Only who sends the token of this process. */
  TOKEN,

  /** Nobody. */
  OFF
}
