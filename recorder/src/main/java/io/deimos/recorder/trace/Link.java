// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trace;

/**
 * The span that a trace was begun after, in another trace: that which armed a timer, or the last
 * one before a trace was cut.
 *
 * @param hi the first eight bytes of its trace id
 * @param lo the last eight
 * @param spanId never 0
 * @param reason why the trace does not go on: {@link #TICK}, {@link #PROJECTION}, or a {@link
 *     TraceGuard} reason
 */
public record Link(long hi, long lo, long spanId, String reason) {
  /** A periodic schedule or a receive time-out: what ticks would keep its trace alive for ever. */
  public static final String TICK = "tick";

  /** The write of an event that a projection has read. */
  public static final String PROJECTION = "projection";
}
