// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.settings;

/** Whether a message outside of all traces begins one. */
public enum StartTraces {
  HERE,

  /** No: only what belongs to a trace of somebody else's, an HTTP request's say, is recorded. */
  ONLY_INSIDE_EXISTING
}
