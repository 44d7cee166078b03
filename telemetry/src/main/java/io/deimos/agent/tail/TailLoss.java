// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import java.util.Locale;

/** Why a trace is not exported. */
public enum TailLoss {
  /** Nothing was the matter with it, and it is not in the share that is kept. */
  NORMAL,

  /**
   * So far nothing was the matter with it, and there was no room to wait any longer, or no time at
   * the end of the process.
   */
  FULL;

  /** As metrics and the page call it. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
