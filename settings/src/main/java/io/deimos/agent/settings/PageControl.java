// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** The users who may change settings on the page. */
public enum PageControl {
  /** Nobody. */
  OFF,

  /** Only who sends the token of this process. */
  TOKEN
}
