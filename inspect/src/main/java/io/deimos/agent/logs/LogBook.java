// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.logs;

import io.deimos.agent.budget.Scan;
import io.deimos.recorder.spans.LogLine;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The last records of logs, in the order in which they came.
 *
 * <p><b>Threads.</b> Any thread adds, and any reads; none waits for another.
 *
 * <p><b>Full.</b> The oldest go when all together would take more than the bound in bytes, or when
 * their places are needed. They are counted.
 */
public final class LogBook {
  /** A record takes at least so much. */
  private static final int LEAST_BYTES = 128;

  private final long mostBytes;
  private final AtomicReferenceArray<@Nullable Kept> places;
  private final AtomicLong next = new AtomicLong();
  private final AtomicLong oldest = new AtomicLong();
  private final AtomicLong bytes = new AtomicLong();
  private final AtomicLong letGo = new AtomicLong();

  private record Kept(long number, LogLine line) {}

  /**
   * A part of the records.
   *
   * @param lines the latest first
   * @param matching how many there are in all
   * @param looked how many were looked at
   * @param sinceMillis when the oldest of these was logged; 0 if there is none
   */
  public record Found(List<LogLine> lines, int matching, int looked, long sinceMillis) {}

  /**
   * @param mostBytes what it may take
   */
  public LogBook(long mostBytes) {
    this.mostBytes = mostBytes;
    long most = Math.max(16, Math.min(1 << 20, mostBytes / LEAST_BYTES));
    this.places = new AtomicReferenceArray<>((int) Long.highestOneBit(most));
  }

  /** Adds a record. */
  public void add(LogLine line) {
    Kept made = new Kept(next.getAndIncrement(), line);
    bytes.addAndGet(line.bytes());
    put(made);
    while (bytes.get() > mostBytes) {
      long first = oldest.get();
      if (first >= made.number) {
        break; // it is alone, or others make room for theirs
      }
      Kept kept = places.get(place(first));
      if (kept != null && kept.number == first) {
        remove(kept);
      }
      oldest.compareAndSet(first, first + 1);
    }
    if (oldest.get() > made.number) {
      remove(made); // others came after it and went before
    }
  }

  /** Takes the place of an older one, and never of a later one. */
  private void put(Kept made) {
    int place = place(made.number);
    while (true) {
      Kept before = places.get(place);
      if (before != null && before.number > made.number) {
        forget(made);
        return;
      }
      if (places.compareAndSet(place, before, made)) {
        forget(before);
        return;
      }
    }
  }

  private void remove(Kept kept) {
    if (places.compareAndSet(place(kept.number), kept, null)) {
      forget(kept);
    }
  }

  private void forget(@Nullable Kept kept) {
    if (kept != null) {
      bytes.addAndGet(-kept.line.bytes());
      letGo.incrementAndGet();
    }
  }

  private int place(long number) {
    return (int) number & (places.length() - 1);
  }

  /**
   * Looks for records.
   *
   * @param limit how many are given at most
   */
  public Found find(LogQuery query, int limit, Scan scan) {
    List<LogLine> found = new ArrayList<>();
    int matching = 0;
    int looked = 0;
    long since = 0;
    long end = next.get();
    for (long at = end - 1; at >= Math.max(0, end - places.length()); at--) {
      Kept kept = places.get(place(at));
      if (kept == null || kept.number != at) {
        continue;
      }
      if (!scan.goesOn(kept.line.text().length() + LEAST_BYTES)) {
        scan.leftOut("older log records");
        break;
      }
      looked++;
      since = kept.line.epochMillis();
      if (query.matches(kept.line)) {
        matching++;
        if (found.size() < limit) {
          found.add(kept.line);
        }
      }
    }
    return new Found(found, matching, looked, since);
  }

  /** How many have made room for others. */
  public long letGo() {
    return letGo.get();
  }

  /** The bytes that it takes. */
  public long bytes() {
    return bytes.get() + 4L * places.length();
  }
}
