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
 *   +0  nanoseconds of processing, summed
 *   +1  nanoseconds in the mailbox, summed
 *   +2  messages whose processing failed
 *   +3  buckets of processing, {@link Durations#BUCKETS} of them
 *   +…  buckets of waiting, as many
 * </pre>
 *
 * <p><b>Order.</b> Opaque stores and loads: each long is whole and becomes visible in time; a fold
 * may see one message's longs in part, which the next fold mends. Counts never go back.
 *
 * <p><b>Full.</b> Longs do not fill up; {@link CellTable} bounds how many cells there are.
 */
final class MessageCell {
  static final int PROCESSING_SUM = 0;
  static final int WAIT_SUM = 1;
  static final int FAILED = 2;
  static final int PROCESSING = 3;
  static final int WAIT = PROCESSING + Durations.BUCKETS;
  static final int LONGS = WAIT + Durations.BUCKETS;

  private static final VarHandle LONG = MethodHandles.arrayElementVarHandle(long[].class);

  final Class<?> type;
  final ActorKind kind;
  final MessageClass message;
  final boolean transparent;
  final boolean wrapper;
  private final long[] counts = new long[LONGS];

  MessageCell(Class<?> type, ActorKind kind, MessageClass message) {
    this.type = type;
    this.kind = kind;
    this.message = message;
    this.transparent = kind.isSilent() || message.isTransparent();
    this.wrapper = message.isWrapper();
  }

  void add(long processingNanos, long waitNanos) {
    long[] c = counts;
    plus(c, PROCESSING_SUM, processingNanos);
    plus(c, PROCESSING + Durations.bucket(processingNanos), 1);
    plus(c, WAIT_SUM, waitNanos);
    plus(c, WAIT + Durations.bucket(waitNanos), 1);
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
