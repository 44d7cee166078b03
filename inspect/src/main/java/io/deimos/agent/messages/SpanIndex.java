// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.messages;

import java.util.Arrays;

/**
 * Finds a record of a part of the log by its span: four bytes a place, at most three of four taken.
 * Its memory is used again for the next part. Not safe for threads.
 */
public final class SpanIndex {
  private int[] places = {};
  private int mask;
  private long first;
  private final MessageRecord other = new MessageRecord();

  /** Forgets all, to take records from this number on. */
  public void clear(long firstNumber, int records) {
    int wanted = Math.max(64, Integer.highestOneBit(Math.max(1, records * 4 / 3)) * 2);
    if (places.length < wanted) {
      places = new int[wanted];
    } else {
      Arrays.fill(places, 0, wanted, 0);
    }
    mask = wanted - 1;
    first = firstNumber;
  }

  public void add(long spanId, long number) {
    int at = hash(spanId);
    while (places[at] != 0) {
      at = (at + 1) & mask;
    }
    places[at] = (int) (number - first) + 1;
  }

  /** Copies the record with this span; false if there is none. */
  public boolean find(long spanId, MessageLog log, MessageRecord to) {
    for (int at = hash(spanId); places[at] != 0; at = (at + 1) & mask) {
      if (log.copy(first + places[at] - 1, other) && other.spanId() == spanId) {
        System.arraycopy(other.longs, 0, to.longs, 0, MessageRecord.LONGS);
        return true;
      }
    }
    return false;
  }

  private int hash(long spanId) {
    return (int) ((spanId * 0x9E3779B97F4A7C15L) >>> 32) & mask;
  }

  public long bytes() {
    return (long) places.length * Integer.BYTES;
  }
}
