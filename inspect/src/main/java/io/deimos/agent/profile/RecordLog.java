// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.ring.RecordListener;
import io.deimos.recorder.ring.SpanView;
import io.deimos.recorder.spans.Rare;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/**
 * The messages of the last seconds by thread and time.
 *
 * <p><b>Threads.</b> The drainer writes; the profile's thread reads what has been written.
 *
 * <p><b>Record.</b> Four longs: the thread, the start, the duration in ns (bits 24-63) with the row
 * (0-23), and the span. Messages shorter than the grid are kept only if a line of the grid passes
 * during them. Lines do not depend on messages, so each class is kept in proportion to the time it
 * takes, and a thread leaves no more records a second than there are lines.
 *
 * <p><b>Full.</b> The oldest chunk goes, and is counted if it was still wanted.
 */
final class RecordLog implements RecordListener {
  private static final int LONGS = 4;
  private static final int CHUNK = 8192;
  private static final int ROW_BITS = 24;
  private static final long MAX_NANOS = (1L << 40) - 1;

  /** Between lines of the grid on up to eight processors: 131 µs. */
  private static final int GRID_SHIFT = 17;

  private static final VarHandle WRITTEN;

  static {
    try {
      WRITTEN = MethodHandles.lookup().findVarHandle(Chunk.class, "written", int.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final ProfileRows rows;
  private final int gridShift;
  private final int mostChunks;
  private final Deque<Chunk> chunks = new ArrayDeque<>();
  private Chunk last = new Chunk();
  private long lost;

  /**
   * A log for a process.
   *
   * @param bytes what it may take
   * @param processors that may write into it at once
   */
  RecordLog(ProfileRows rows, long bytes, int processors) {
    this.rows = rows;
    int times = 32 - Integer.numberOfLeadingZeros(Math.max(1, processors / 8)) - 1;
    gridShift = GRID_SHIFT + times;
    mostChunks = (int) Math.max(2, bytes / (CHUNK * LONGS * Long.BYTES));
    chunks.add(last);
  }

  /** How far a sample's time may be from a record's and still be counted to it. */
  long gridNanos() {
    return 1L << gridShift;
  }

  @Override
  public void heard(SpanView span, long threadId) {
    ActorTelemetry actor = span.isAsk() ? null : span.actor();
    if (actor == null) {
      return;
    }
    long start = span.start();
    long end = span.end();
    if ((start >> gridShift) == (end >> gridShift)) {
      return;
    }
    Rare rare = span.rare();
    if (rare == null || rare.operation() == null) {
      add(
          threadId,
          start,
          end - start,
          rows.of(actor.kind(), span.message().name()),
          span.spanId());
    }
  }

  void add(long threadId, long start, long nanos, int row, long spanId) {
    int at = last.written;
    if (at == CHUNK) {
      next();
      at = 0;
    }
    long[] longs = last.longs;
    longs[at * LONGS] = threadId;
    longs[at * LONGS + 1] = start;
    longs[at * LONGS + 2] = Math.min(nanos, MAX_NANOS) << ROW_BITS | row;
    longs[at * LONGS + 3] = spanId;
    WRITTEN.setRelease(last, at + 1);
  }

  private synchronized void next() {
    last = new Chunk();
    chunks.add(last);
    if (chunks.size() > mostChunks) {
      chunks.remove();
      lost += CHUNK;
    }
  }

  /** Records that had to go before they could be joined with anything. */
  synchronized long lost() {
    return lost;
  }

  synchronized long bytes() {
    return (long) chunks.size() * CHUNK * LONGS * Long.BYTES;
  }

  /** Shows all records to a reader, in the order in which they came. */
  void forEach(Reader reader) {
    List<Chunk> all;
    synchronized (this) {
      all = new ArrayList<>(chunks);
    }
    for (Chunk chunk : all) {
      int written = (int) WRITTEN.getAcquire(chunk);
      for (int i = 0; i < written * LONGS; i += LONGS) {
        chunk.show(i, reader);
      }
    }
  }

  /** Shows each record once, in the order in which they came, up to the first that is too young. */
  void forEachNew(long endedBy, Reader reader) {
    List<Chunk> all;
    synchronized (this) {
      all = new ArrayList<>(chunks);
    }
    for (Chunk chunk : all) {
      int written = (int) WRITTEN.getAcquire(chunk) * LONGS;
      while (chunk.shown < written && chunk.end(chunk.shown) <= endedBy) {
        chunk.show(chunk.shown, reader);
        chunk.shown += LONGS;
      }
      if (chunk.shown < written) {
        return;
      }
    }
  }

  /** Lets go of chunks with nothing in them that ended after a time. */
  synchronized void forget(long before) {
    while (chunks.size() > 1 && chunks.getFirst().endsBefore(before)) {
      chunks.remove();
    }
  }

  /** Takes one record. */
  interface Reader {
    void read(long threadId, long start, long end, int row, long spanId);
  }

  private static final class Chunk {
    final long[] longs = new long[CHUNK * LONGS];
    int written;

    /** How much was shown once; the profile's thread's. */
    int shown;

    long end(int at) {
      return longs[at + 1] + (longs[at + 2] >>> ROW_BITS);
    }

    void show(int at, Reader reader) {
      int row = (int) longs[at + 2] & ((1 << ROW_BITS) - 1);
      reader.read(longs[at], longs[at + 1], end(at), row, longs[at + 3]);
    }

    /** By the record that came last: the drainer is never long behind. */
    boolean endsBefore(long time) {
      int at = ((int) WRITTEN.getAcquire(this) - 1) * LONGS;
      return at >= 0 && end(at) < time;
    }
  }
}
