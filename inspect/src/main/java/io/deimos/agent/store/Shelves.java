// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The traces that stay in the store, by their outcome. A trace is <i>held</i> until it has been
 * quiet; then it is <i>ordinary</i> and stays if the round has room, or it goes. A trace with
 * trouble in it stays whatever the round. Not safe for threads: called under the store's lock.
 *
 * <p><b>Full.</b> Traces with trouble may take half, and whole ones half of that. Beyond it a whole
 * one is thinned to what shows the trouble, or a thinned one goes. Else an ordinary trace goes, or
 * the oldest held one. {@link Kinds} says which, but a whole trace that takes more than an eighth
 * of all room is thinned before the others.
 */
final class Shelves {
  /** The size of a trace beside its spans, in spans. */
  static final int TRACE_WEIGHT = 1;

  /** A thinned trace that an incident line names stays for much longer than others. */
  private static final double WORTH_OF_PINNED = 64;

  private final int room;
  private final Set<KeptTrace> held = new LinkedHashSet<>();
  private final Kinds ordinary = new Kinds(1);
  private final Kinds whole = new Kinds(1);
  private final Set<KeptTrace> huge = new LinkedHashSet<>();
  private final Kinds thinned = new Kinds(WORTH_OF_PINNED);
  private int weight;
  private int heldWeight;
  private int troubleWeight;
  private int thinnedWeight;

  /**
   * @param room how many spans there is room for in all
   */
  Shelves(int room) {
    this.room = room;
  }

  /** A new trace, which is held until it has been quiet. */
  void hold(KeptTrace trace, long nowNanos) {
    place(trace, Shelf.HELD, nowNanos);
  }

  /** Puts a trace where it belongs from now on, wherever it was. */
  void place(KeptTrace trace, Shelf shelf, long nowNanos) {
    remove(trace);
    trace.shelf(shelf, nowNanos);
    switch (shelf) {
      case HELD -> held.add(trace);
      case ORDINARY -> ordinary.add(trace, trace.name());
      case TROUBLE -> whole.add(trace, trace.trouble());
      case THINNED -> thinned.add(trace, trace.trouble());
      case NONE -> {
        return;
      }
    }
    add(trace, trace.weight() + TRACE_WEIGHT);
  }

  /** A trace on a shelf has become heavier. */
  void add(KeptTrace trace, int more) {
    weight += more;
    Kinds.Kind kind = trace.kind();
    if (kind != null) {
      kind.add(more);
    }
    switch (trace.shelf()) {
      case HELD -> heldWeight += more;
      case TROUBLE -> {
        troubleWeight += more;
        if (isHuge(trace)) {
          huge.add(trace);
        }
      }
      case THINNED -> {
        troubleWeight += more;
        thinnedWeight += more;
      }
      case ORDINARY, NONE -> {}
    }
  }

  void remove(KeptTrace trace) {
    Shelf from = trace.shelf();
    if (from == Shelf.NONE) {
      return;
    }
    add(trace, -trace.weight() - TRACE_WEIGHT);
    switch (from) {
      case HELD -> held.remove(trace);
      case ORDINARY -> ordinary.remove(trace);
      case TROUBLE -> {
        whole.remove(trace);
        huge.remove(trace);
      }
      case THINNED -> thinned.remove(trace);
      case NONE -> {}
    }
    trace.shelf(Shelf.NONE, 0);
  }

  /**
   * The held traces that are to be judged now: those that have ended, and the oldest if there are
   * many.
   */
  List<KeptTrace> due(long nowNanos) {
    List<KeptTrace> due = new ArrayList<>();
    int left = heldWeight;
    for (KeptTrace trace : held) {
      if (left > room / 4 || trace.hasEnded(nowNanos)) {
        due.add(trace);
        left -= trace.weight() + TRACE_WEIGHT;
      }
    }
    return due;
  }

  /** Whether held traces take more than they should. */
  boolean isCrowded() {
    return heldWeight > room / 4;
  }

  boolean isFull() {
    return weight > room;
  }

  /** A trace with trouble to be thinned, to make room; null if there is none. */
  @Nullable KeptTrace nextToThin(long nowNanos) {
    if (troubleWeight <= room / 2 || troubleWeight - thinnedWeight <= room / 4) {
      return null;
    }
    return huge.isEmpty() ? whole.next(nowNanos) : huge.iterator().next();
  }

  /** Whether a trace takes so much that it must not be what others are thinned for. */
  boolean isHuge(KeptTrace trace) {
    return trace.weight() > room / 8;
  }

  /** The trace that goes next, to make room, where none is to be thinned. */
  @Nullable KeptTrace nextToGo(long nowNanos) {
    if (troubleWeight > room / 2) {
      return thinned.next(nowNanos);
    }
    KeptTrace next = ordinary.next(nowNanos);
    return next == null ? oldestHeld() : next;
  }

  private @Nullable KeptTrace oldestHeld() {
    Iterator<KeptTrace> traces = held.iterator();
    return traces.hasNext() ? traces.next() : null;
  }

  int weight() {
    return weight;
  }

  /** Where a trace is. */
  enum Shelf {
    NONE,
    HELD,
    ORDINARY,
    TROUBLE,
    THINNED;

    boolean isTrouble() {
      return this == TROUBLE || this == THINNED;
    }
  }
}
