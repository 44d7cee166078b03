// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Who stays in the store, by what a trace has turned out to be. A trace is <i>held</i> until it has
 * been quiet; then it is <i>ordinary</i> and stays if the round has room, or it goes. A trace with
 * trouble in it stays whatever the round. Not safe for threads: called under the store's lock.
 *
 * <p><b>Full.</b> Room is made in this order, oldest first within each step: traces with trouble
 * are thinned to what shows the trouble once they take more than half, those without an incident
 * line before the others; then such traces go, again those without a line before the others; else
 * an ordinary trace of the root name that takes most; else a held one.
 */
final class Shelves {
  /** What a trace takes beside its spans, in spans. */
  static final int TRACE_WEIGHT = 1;

  private final int room;
  private final Set<KeptTrace> held = new LinkedHashSet<>();
  private final Map<String, Named> ordinary = new HashMap<>();
  private final Set<KeptTrace> trouble = new LinkedHashSet<>();
  private final Set<KeptTrace> pinned = new LinkedHashSet<>();
  private final Set<KeptTrace> thinTrouble = new LinkedHashSet<>();
  private final Set<KeptTrace> thinPinned = new LinkedHashSet<>();
  private int weight;
  private int heldWeight;
  private int troubleWeight;

  /**
   * @param room how many spans there is room for in all
   */
  Shelves(int room) {
    this.room = room;
  }

  /** A new trace, which is held until it has been quiet. */
  void hold(KeptTrace trace) {
    place(trace, Shelf.HELD);
  }

  /** Puts a trace where it belongs from now on, wherever it was. */
  void place(KeptTrace trace, Shelf shelf) {
    remove(trace);
    trace.shelf(shelf);
    switch (shelf) {
      case HELD -> held.add(trace);
      case ORDINARY ->
          ordinary.computeIfAbsent(trace.shelfName(), name -> new Named()).traces.add(trace);
      case TROUBLE -> trouble(trace).add(trace);
      case NONE -> {
        return;
      }
    }
    add(trace, trace.weight() + TRACE_WEIGHT);
  }

  /** Which traces with trouble it is among: pinned or not, thinned or not. */
  private Set<KeptTrace> trouble(KeptTrace trace) {
    if (trace.isThinned()) {
      return trace.isPinned() ? thinPinned : thinTrouble;
    }
    return trace.isPinned() ? pinned : trouble;
  }

  /** A trace on a shelf has become heavier. */
  void add(KeptTrace trace, int more) {
    weight += more;
    switch (trace.shelf()) {
      case HELD -> heldWeight += more;
      case TROUBLE -> troubleWeight += more;
      case ORDINARY -> {
        Named named = ordinary.get(trace.shelfName());
        if (named != null) {
          named.weight += more;
        }
      }
      case NONE -> {}
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
      case ORDINARY -> {
        Named named = ordinary.get(trace.shelfName());
        if (named != null) {
          named.traces.remove(trace);
          if (named.traces.isEmpty()) {
            ordinary.remove(trace.shelfName());
          }
        }
      }
      case TROUBLE -> {
        trouble.remove(trace);
        pinned.remove(trace);
        thinTrouble.remove(trace);
        thinPinned.remove(trace);
      }
      case NONE -> {}
    }
    trace.shelf(Shelf.NONE);
  }

  /**
   * The held traces that are to be judged now: the quiet ones, and the oldest if there are many.
   */
  List<KeptTrace> due(long nowNanos, long quietNanos) {
    List<KeptTrace> due = new ArrayList<>();
    int left = heldWeight;
    for (KeptTrace trace : held) {
      if (left > room / 4 || trace.isQuiet(nowNanos, quietNanos)) {
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
  @Nullable KeptTrace nextToThin() {
    if (troubleWeight <= room / 2) {
      return null;
    }
    return trouble.isEmpty() ? first(pinned) : first(trouble);
  }

  /** The trace that goes next, to make room. */
  @Nullable KeptTrace nextToGo() {
    if (troubleWeight > room / 2) {
      return thinTrouble.isEmpty() ? first(thinPinned) : first(thinTrouble);
    }
    Named most = null;
    for (Named named : ordinary.values()) {
      if (most == null || named.weight > most.weight) {
        most = named;
      }
    }
    if (most != null) {
      return first(most.traces);
    }
    return held.isEmpty() ? anyTrouble() : first(held);
  }

  private @Nullable KeptTrace anyTrouble() {
    Queue<Set<KeptTrace>> inOrder =
        new ArrayDeque<>(List.of(thinTrouble, trouble, thinPinned, pinned));
    for (Set<KeptTrace> some : inOrder) {
      if (!some.isEmpty()) {
        return first(some);
      }
    }
    return null;
  }

  private static @Nullable KeptTrace first(Set<KeptTrace> of) {
    Iterator<KeptTrace> traces = of.iterator();
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
    TROUBLE
  }

  private static final class Named {
    final Set<KeptTrace> traces = new LinkedHashSet<>();
    int weight;
  }
}
