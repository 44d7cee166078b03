// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import java.util.PriorityQueue;

/**
 * How many messages wait for each actor, how many did in the last minute at most, and how many
 * children it has, as looks at the actors have found them. Stays empty until somebody wants to know
 * of single actors.
 *
 * <p><b>Threads.</b> One fills it; once it is published nobody changes it, and all may read.
 *
 * <p><b>Record.</b> Six ints in a table with open addresses, at most half full: three are the
 * longest mailbox in the present half minute and in the two before it.
 */
public final class Mailboxes {
  /** Stands for an actor that was not looked at. */
  public static final int UNKNOWN = -1;

  private static final int FIRST_CAPACITY = 64;
  private static final int WINDOWS = 3;
  private static final long WINDOW_NANOS = 30_000_000_000L;

  private static volatile boolean wanted;
  private static volatile boolean measured = true;

  private int[] ids = new int[0];
  private int[] waiting = new int[0];
  private int[] children = new int[0];
  private int[] peaks = new int[0];
  private long windowBegan;
  private int size;

  /** From now on single actors are noted. */
  public static void want() {
    wanted = true;
  }

  public static boolean areWanted() {
    return wanted;
  }

  /** Whether their sizes are a metric. */
  public static void measure(boolean on) {
    measured = on;
  }

  public static boolean areMeasured() {
    return measured;
  }

  /**
   * Notes an actor, once.
   *
   * @param id its number; nothing is noted of 0
   * @param waits 0 or more
   * @param below 0 or more
   */
  public void add(int id, long waits, int below) {
    if (!wanted || id == 0) {
      return;
    }
    if (size * 2 >= ids.length) {
      grow();
    }
    put(id, (int) Math.min(Integer.MAX_VALUE, waits), below);
    size++;
  }

  private void put(int id, int waits, int below) {
    int at = place(id);
    while (ids[at] != 0) {
      at = (at + 1) & (ids.length - 1);
    }
    ids[at] = id;
    waiting[at] = waits;
    children[at] = below;
  }

  private void grow() {
    int[] oldIds = ids;
    int[] oldWaiting = waiting;
    int[] oldChildren = children;
    int capacity = Math.max(FIRST_CAPACITY, oldIds.length * 2);
    ids = new int[capacity];
    waiting = new int[capacity];
    children = new int[capacity];
    for (int i = 0; i < oldIds.length; i++) {
      if (oldIds[i] != 0) {
        put(oldIds[i], oldWaiting[i], oldChildren[i]);
      }
    }
  }

  /**
   * Takes over the peaks of the look before; nothing is added afterwards.
   *
   * @param nanos when this look was
   */
  public void follow(Mailboxes before, long nanos) {
    long windows = (nanos - before.windowBegan) / WINDOW_NANOS;
    boolean first = before.size == 0 || windows >= WINDOWS;
    int over = first ? WINDOWS : (int) windows;
    windowBegan = first ? nanos : before.windowBegan + over * WINDOW_NANOS;
    peaks = new int[ids.length * WINDOWS];
    for (int i = 0; i < ids.length; i++) {
      int known = over == WINDOWS ? -1 : before.find(ids[i]);
      if (known >= 0 && before.peaks.length > 0) {
        System.arraycopy(before.peaks, known * WINDOWS, peaks, i * WINDOWS + over, WINDOWS - over);
      }
      peaks[i * WINDOWS] = Math.max(peaks[i * WINDOWS], waiting[i]);
    }
  }

  private int place(int id) {
    return (id * 0x9E3779B9) >>> (32 - Integer.numberOfTrailingZeros(ids.length));
  }

  /** The messages that wait for an actor, or {@link #UNKNOWN}. */
  public int waiting(int id) {
    int at = find(id);
    return at < 0 ? UNKNOWN : waiting[at];
  }

  /**
   * The most messages that waited for an actor at one look of the last 60 to 90 seconds, or {@link
   * #UNKNOWN}.
   */
  public int peak(int id) {
    int at = find(id);
    if (at < 0 || peaks.length == 0) {
      return UNKNOWN;
    }
    int peak = 0;
    for (int i = at * WINDOWS; i < (at + 1) * WINDOWS; i++) {
      peak = Math.max(peak, peaks[i]);
    }
    return peak;
  }

  /** The children of an actor, or {@link #UNKNOWN}. */
  public int children(int id) {
    int at = find(id);
    return at < 0 ? UNKNOWN : children[at];
  }

  private int find(int id) {
    if (size == 0 || id == 0) {
      return -1;
    }
    int at = place(id);
    while (ids[at] != 0) {
      if (ids[at] == id) {
        return at;
      }
      at = (at + 1) & (ids.length - 1);
    }
    return -1;
  }

  /**
   * The numbers of the actors for which the most messages wait, in no order.
   *
   * @param least so many messages at least
   * @param most so many actors at most
   */
  public int[] fullest(int least, int most) {
    PriorityQueue<Long> kept = new PriorityQueue<>();
    for (int i = 0; i < ids.length; i++) {
      if (ids[i] == 0 || waiting[i] < least) {
        continue;
      }
      if (kept.size() == most && kept.element() >> 32 < waiting[i]) {
        kept.remove();
      }
      if (kept.size() < most) {
        kept.add((long) waiting[i] << 32 | ids[i]);
      }
    }
    return kept.stream().mapToInt(Long::intValue).toArray();
  }

  /** How many actors were looked at. */
  public int size() {
    return size;
  }
}
