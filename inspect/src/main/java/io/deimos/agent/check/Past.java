// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.check;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;

/**
 * A few numbers of the last ten minutes, noted every two seconds. A number that was not noted is as
 * before if it counts, and 0 if it is a size.
 *
 * <p><b>Full.</b> New numbers are left out and counted; those of one name take a quarter at most. A
 * number that has not been noted for ten minutes goes.
 *
 * <p><b>Threads.</b> One notes, any may read, under the lock.
 */
public final class Past {
  static final int POINTS = 300;

  /** The bytes of a series, with its key. */
  static final int SERIES_BYTES = POINTS * Long.BYTES + 300;

  private final int maxSeries;
  private final Map<Key, Ring> rings = new HashMap<>();
  private final Map<String, Integer> ofName = new HashMap<>();
  private final long[] millis = new long[POINTS];
  private int size;
  private int next;
  private long leftOut;

  /**
   * @param bytes how much it may take
   */
  Past(long bytes) {
    maxSeries = (int) Math.max(64, Math.min(2000, bytes / SERIES_BYTES));
  }

  /** Takes numbers. */
  public interface Notes {
    /** Notes a count since the start. */
    void count(String name, String subject, long value);

    /** Adds to a count that begins at 0. */
    void add(String name, String subject, long more);

    /** Notes how much there is of something. */
    void size(String name, String subject, long value);
  }

  /** The work of one moment. */
  interface Noting {
    void note(Notes notes);
  }

  synchronized void note(long epochMillis, Noting noting) {
    millis[next] = epochMillis;
    rings.values().forEach(ring -> ring.begin(next, (next + POINTS - 1) % POINTS, size > 0));
    try {
      noting.note(new Taker());
    } finally {
      next = (next + 1) % POINTS;
      size = Math.min(POINTS, size + 1);
      for (Iterator<Map.Entry<Key, Ring>> each = rings.entrySet().iterator(); each.hasNext(); ) {
        Map.Entry<Key, Ring> one = each.next();
        if (++one.getValue().unseen > POINTS) {
          ofName.merge(one.getKey().name, -1, Integer::sum);
          each.remove();
        }
      }
    }
  }

  synchronized Series series(String name, String subject) {
    Ring ring = rings.get(new Key(name, subject));
    if (ring == null) {
      return Series.EMPTY;
    }
    int length = Math.min(size, ring.length);
    long[] times = new long[length];
    long[] values = new long[length];
    for (int i = 0; i < length; i++) {
      int at = (next - length + i + POINTS) % POINTS;
      times[i] = millis[at];
      values[i] = ring.values[at];
    }
    return new Series(times, values);
  }

  synchronized List<String> subjects(String name) {
    List<String> subjects = new ArrayList<>();
    for (Key key : rings.keySet()) {
      if (key.name.equals(name)) {
        subjects.add(key.subject);
      }
    }
    return subjects;
  }

  /** For how long numbers have been noted. */
  synchronized long lengthMillis() {
    int first = (next - size + POINTS) % POINTS;
    return size == 0 ? 0 : millis[(next + POINTS - 1) % POINTS] - millis[first];
  }

  /** How often a number found no room. */
  synchronized long leftOut() {
    return leftOut;
  }

  synchronized long bytes() {
    return (long) rings.size() * SERIES_BYTES;
  }

  private record Key(String name, String subject) {}

  private static final class Ring {
    final long[] values = new long[POINTS];
    final boolean isCount;
    int length;
    int unseen;

    Ring(boolean isCount) {
      this.isCount = isCount;
    }

    void begin(int at, int before, boolean hasBefore) {
      values[at] = isCount && hasBefore ? values[before] : 0;
      length = Math.min(POINTS, length + 1);
    }
  }

  private final class Taker implements Notes {
    @Override
    public void count(String name, String subject, long value) {
      put(name, subject, true, value, false);
    }

    @Override
    public void add(String name, String subject, long more) {
      put(name, subject, true, more, true);
    }

    @Override
    public void size(String name, String subject, long value) {
      put(name, subject, false, value, false);
    }

    private void put(String name, String subject, boolean isCount, long value, boolean adds) {
      Key key = new Key(name, subject);
      Ring ring = rings.get(key);
      if (ring == null) {
        if (value == 0) {
          return;
        }
        if (rings.size() >= maxSeries || ofName.getOrDefault(name, 0) >= maxSeries / 4) {
          leftOut++;
          return;
        }
        ring = new Ring(isCount);
        rings.put(key, ring);
        ofName.merge(name, 1, Integer::sum);
        // It was 0 before, unless it is a count that found no room.
        ring.length = isCount && !adds && leftOut > 0 ? 1 : Math.min(POINTS, size + 1);
      }
      ring.values[next] = adds ? ring.values[next] + value : value;
      ring.unseen = 0;
    }
  }
}
