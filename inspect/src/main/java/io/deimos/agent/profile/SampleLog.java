// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import java.util.Arrays;

/**
 * The samples of the last minutes, each with its row, its stack and its span. Guarded by whoever
 * owns it.
 *
 * <p><b>Full.</b> The newest sample takes the place of the oldest.
 */
final class SampleLog {
  /** Rows below 0: in a message without a record, on an actor's thread, on another one. */
  static final int UNRECORDED = -1;

  static final int DISPATCHER = -2;
  static final int OTHER = -3;

  private static final int FIRST = 1024;
  private static final int SAMPLE_BYTES = 2 * Long.BYTES + 2 * Integer.BYTES;

  private final int most;
  private long[] times = new long[FIRST];
  private int[] rows = new int[FIRST];
  private int[] stacks = new int[FIRST];
  private long[] spans = new long[FIRST];
  private long written;

  /**
   * An empty log.
   *
   * @param bytes what it may take
   */
  SampleLog(long bytes) {
    most = (int) Long.highestOneBit(Math.max(FIRST, bytes / SAMPLE_BYTES));
  }

  void add(long time, int row, int stack, long spanId) {
    if (written == times.length && times.length < most) {
      times = Arrays.copyOf(times, times.length * 2);
      rows = Arrays.copyOf(rows, rows.length * 2);
      stacks = Arrays.copyOf(stacks, stacks.length * 2);
      spans = Arrays.copyOf(spans, spans.length * 2);
    }
    int at = (int) (written++ & (times.length - 1));
    times[at] = time;
    rows[at] = row;
    stacks[at] = stack;
    spans[at] = spanId;
  }

  /** Shows the samples since a time to a reader. */
  void forEach(long since, Reader reader) {
    int count = (int) Math.min(written, times.length);
    for (int i = 0; i < count; i++) {
      if (times[i] >= since) {
        reader.read(rows[i], stacks[i], spans[i]);
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

  /** Takes one sample. */
  interface Reader {
    void read(int row, int stack, long spanId);
  }
}
