// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import java.util.Locale;

/** Why a trace is exported. The first of several reasons for one span is told. */
public enum TailReason {
  /** An actor failed, an ask was answered by a failure, a write or a recovery failed. */
  FAILURE,

  /** An ask got no answer in time. */
  ASK_TIMEOUT,

  /** A message sent in it was given up. */
  DEAD_LETTER,

  /** A message was in processing for so long that the watch told of it. */
  STUCK,

  /** A message waited in its mailbox for longer than the threshold. */
  WAIT,

  /** A message, an ask, a write or a recovery took longer than the threshold. */
  PROCESSING,

  /** Another node keeps it. */
  PEER,

  /** It is in the share of normal traces that are kept. */
  SHARE;

  /** As metrics and the page call it: {@code ask_timeout}. */
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
