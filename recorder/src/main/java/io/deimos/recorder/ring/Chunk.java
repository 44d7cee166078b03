// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.spans.Rare;
import org.jspecify.annotations.Nullable;

/**
 * A part of a {@link Ring}: so few records that its making costs an actor no more than a message
 * does. It belongs to one ring at a time, or to what is kept by the {@link RingBudget}.
 */
final class Chunk {
  static final int RECORDS = 64;
  static final long BYTES = Ring.bytes(RECORDS);

  final long[] longs = new long[RECORDS * Ring.RECORD_LONGS];

  /** The position of its first record: another when the ring's owner goes on in it once more. */
  long from;

  /** Where the owner has gone on instead. */
  @Nullable Chunk next;

  private @Nullable Rare @Nullable [] rares;

  void put(int index, Rare rare) {
    @Nullable Rare[] r = rares;
    if (r == null) {
      r = new Rare[RECORDS];
      rares = r;
    }
    r[index] = rare;
  }

  @Nullable Rare rare(int index) {
    return rares == null ? null : rares[index];
  }

  @Nullable Rare takeRare(int index) {
    Rare rare = rare(index);
    if (rare != null && rares != null) {
      rares[index] = null;
    }
    return rare;
  }
}
