// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The metrics of one message class at one kind of actor, as counted by one thread.
 *
 * <p><b>Threads.</b> {@link #add} belongs to the owning thread; any thread may {@link #addTo fold}.
 *
 * <p><b>Record.</b> Longs:
 *
 * <pre>
 *   +0  messages processed
 *   +1  messages whose processing failed
 *   +2  nanoseconds of processing, summed
 *   +3  nanoseconds in the mailbox, summed
 *   +4  buckets of processing, {@link Durations#BUCKETS} of them
 *   +…  buckets of waiting, as many
 * </pre>
 *
 * A message that was timed stands in sums and buckets for itself and for those before it that were
 * not. So each histogram counts as many messages as were processed, but for the last few.
 *
 * <p><b>Order.</b> Opaque stores and loads: each long is whole and becomes visible in time; a fold
 * may see one message's longs in part, which the next fold mends. Counts never go back.
 *
 * <p><b>Full.</b> Longs do not fill up; {@link CellTable} bounds how many cells there are.
 */
final class MessageCell {
  static final int PROCESSED = 0;
  static final int FAILED = 1;
  static final int PROCESSING_SUM = 2;
  static final int WAIT_SUM = 3;
  static final int PROCESSING = 4;
  static final int WAIT = PROCESSING + Durations.BUCKETS;
  static final int LONGS = WAIT + Durations.BUCKETS;

  /** From here on all messages are timed, since the clock is then a small part of them. */
  private static final long SLOW_NANOS = 1_000;

  private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

  final Class<?> type;
  final ActorKind kind;
  final MessageClass message;

  /** Its place in {@link CellTable#at}; 0 outside of it. */
  final int index;

  final boolean transparent;
  final boolean wrapper;
  private final long[] counts = new long[LONGS];
  private long timedUpTo;
  private long stampedUpTo;
  private boolean slow;

  MessageCell(Class<?> type, ActorKind kind, MessageClass message, int index) {
    this.type = type;
    this.kind = kind;
    this.message = message;
    this.index = index;
    this.transparent = kind.isSilent() || message.isTransparent();
    this.wrapper = message.isWrapper();
  }

  /** A message that was not timed. */
  void add() {
    plus(counts, PROCESSED, 1);
  }

  /**
   * A message that was timed.
   *
   * @param waitNanos -1 if unknown
   */
  void add(long processingNanos, long waitNanos) {
    long[] c = counts;
    long processed = c[PROCESSED] + 1;
    LONG.setOpaque(c, PROCESSED, processed);
    long standsFor = processed - timedUpTo;
    timedUpTo = processed;
    plus(c, PROCESSING_SUM, processingNanos * standsFor);
    plus(c, PROCESSING + Durations.bucket(processingNanos), standsFor);
    slow = processingNanos >= SLOW_NANOS;
    if (waitNanos >= 0) {
      long waitsFor = processed - stampedUpTo;
      stampedUpTo = processed;
      plus(c, WAIT_SUM, waitNanos * waitsFor);
      plus(c, WAIT + Durations.bucket(waitNanos), waitsFor);
    }
  }

  /** Whether the message that was timed last took so long that the next is timed in any case. */
  boolean isSlow() {
    return slow;
  }

  void failed() {
    plus(counts, FAILED, 1);
  }

  void addTo(long[] sums) {
    for (int i = 0; i < LONGS; i++) {
      sums[i] += (long) LONG.getOpaque(counts, i);
    }
  }

  private static void plus(long[] c, int i, long by) {
    LONG.setOpaque(c, i, c[i] + by);
  }
}
