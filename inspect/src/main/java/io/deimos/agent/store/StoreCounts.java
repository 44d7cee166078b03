// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

/**
 * The traces and spans that the store holds, and those that it was given but does not hold. All
 * spans ever given are the sum of the spans here, errors that were turned away aside.
 *
 * @param spansTruncated spans above what one trace may have
 * @param letGo ordinary traces that ended beyond the traces a second that are kept
 * @param thinned traces with trouble of which only the way to the trouble is left, and the spans
 *     they lost
 * @param evicted traces put out to make room
 * @param troubleEvicted those among them with trouble in them
 * @param troubleWholeNanos for how long traces with trouble in them stay whole now: the age from
 *     which on the first had to be thinned, counted from the first trouble in them. Those that take
 *     more than an eighth of the room do not count
 */
public record StoreCounts(
    Amount kept,
    TurnedAway turnedAway,
    long spansTruncated,
    Amount letGo,
    Amount thinned,
    Amount evicted,
    long troubleEvicted,
    long troubleWholeNanos) {
  /** So many traces, and their spans. */
  public record Amount(long traces, long spans) {}

  /**
   * Spans that were not taken.
   *
   * @param spans of traces that were not taken, or had been put out before
   * @param errors those among them with a failure, a time-out, a dead letter or a stuck actor
   */
  public record TurnedAway(long spans, long errors) {}
}
