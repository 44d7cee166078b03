// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.Arrays;

/**
 * Samples of the last minutes, each with its row, its stack, its span, and how much of what it
 * stands for. Guarded by whoever owns it.
 *
 * <p><b>Full.</b> The newest sample takes the place of the oldest.
 */
final class SampleLog {
  /** Rows below 0: in a message without a record, on an actor's thread, on another one. */
  static final int UNRECORDED = -1;

  static final int DISPATCHER = -2;
  static final int OTHER = -3;

  private static final int FIRST = 1024;
  private static final int PART_BITS = 3;
  private static final int SAMPLE_BYTES = 3 * Long.BYTES + 2 * Integer.BYTES;

  private final int most;
  private long[] times = new long[FIRST];
  private int[] rows = new int[FIRST];
  private int[] stacks = new int[FIRST];
  private long[] spans = new long[FIRST];

  /** With the part in the lowest bits. */
  private long[] weights = new long[FIRST];

  private long written;

  /**
   * An empty log.
   *
   * @param bytes what it may take
   */
  SampleLog(long bytes) {
    most = (int) Long.highestOneBit(Math.max(FIRST, bytes / SAMPLE_BYTES));
  }

  void add(long time, int row, int stack, long spanId, Part part, long weight) {
    if (written == times.length && times.length < most) {
      times = Arrays.copyOf(times, times.length * 2);
      rows = Arrays.copyOf(rows, rows.length * 2);
      stacks = Arrays.copyOf(stacks, stacks.length * 2);
      spans = Arrays.copyOf(spans, spans.length * 2);
      weights = Arrays.copyOf(weights, weights.length * 2);
    }
    int at = (int) (written++ & (times.length - 1));
    times[at] = time;
    rows[at] = row;
    stacks[at] = stack;
    spans[at] = spanId;
    weights[at] = (weight << PART_BITS) | part.number;
  }

  /** Shows the samples since a time to a reader. */
  void forEach(long since, Reader reader) {
    int count = (int) Math.min(written, times.length);
    for (int i = 0; i < count; i++) {
      if (times[i] >= since) {
        Part part = Part.of((int) weights[i] & ((1 << PART_BITS) - 1));
        reader.read(
            new Entry(times[i], rows[i], stacks[i], spans[i], part, weights[i] >>> PART_BITS));
      }
    }
  }

  /** The stacks move to another table. */
  void move(StackTable from, StackTable to) {
    int count = (int) Math.min(written, times.length);
    for (int i = 0; i < count; i++) {
      stacks[i] = to.add(from.stack(stacks[i]));
    }
  }

  /** When the oldest sample was taken; 0 if there is none, or none had to go. */
  long oldest() {
    return written <= times.length ? 0 : times[(int) (written & (times.length - 1))];
  }

  long bytes() {
    return (long) times.length * SAMPLE_BYTES;
  }

  /**
   * One sample.
   *
   * @param weight nanoseconds, or bytes
   */
  record Entry(long time, int row, int stack, long spanId, Part part, long weight) {}

  /** Takes one sample. */
  interface Reader {
    void read(Entry entry);
  }
}
