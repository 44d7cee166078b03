// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Traces by kind, and which of them makes room next: always the oldest of its kind, of the kind
 * whose weight times the age of its oldest is greatest. So a frequent kind gives up its old traces
 * first, a rare one keeps its own for longer, and a new trace stays however heavy its kind is. A
 * trace that an incident line names may count as younger than it is. Not safe for threads.
 *
 * <p><b>Full.</b> Kinds beyond {@value #MAX_KINDS} share one.
 */
final class Kinds {
  static final int MAX_KINDS = 256;

  private static final String OTHERS = "";

  private final Map<Name, Kind> kinds = new HashMap<>();
  private final double worthOfPinned;

  /**
   * @param worthOfPinned by what the age of a trace is divided that an incident line names
   */
  Kinds(double worthOfPinned) {
    this.worthOfPinned = worthOfPinned;
  }

  private record Name(String text, boolean pinned) {}

  void add(KeptTrace trace, String kind) {
    Name name = new Name(kind, trace.isPinned());
    if (kinds.size() >= MAX_KINDS && !kinds.containsKey(name)) {
      name = new Name(OTHERS, trace.isPinned());
    }
    Kind found = kinds.computeIfAbsent(name, Kind::new);
    found.traces.add(trace);
    trace.kind(found);
  }

  void remove(KeptTrace trace) {
    Kind kind = trace.kind();
    if (kind != null && kind.traces.remove(trace) && kind.traces.isEmpty()) {
      kinds.remove(kind.name);
    }
    trace.kind(null);
  }

  /** The trace that makes room next; null if there is none. */
  @Nullable KeptTrace next(long nowNanos) {
    KeptTrace next = null;
    double most = -1;
    for (Kind kind : kinds.values()) {
      KeptTrace oldest = kind.traces.iterator().next();
      double age = Math.max(1, nowNanos - oldest.sinceNanos());
      double score = kind.weight * age / (kind.name.pinned ? worthOfPinned : 1);
      if (score > most) {
        most = score;
        next = oldest;
      }
    }
    return next;
  }

  /** All traces of one kind, in the order in which they came. */
  static final class Kind {
    private final Name name;
    private final Set<KeptTrace> traces = new LinkedHashSet<>();
    private int weight;

    private Kind(Name name) {
      this.name = name;
    }

    void add(int more) {
      weight += more;
    }
  }
}
