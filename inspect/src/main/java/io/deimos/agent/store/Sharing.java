// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * The things that a store passes on while other processes have parts of the same traces: spans of
 * kept traces, where it sends them to the page, and the ids of kept traces, where it is the page's.
 * Not safe for threads: called under the store's lock.
 */
final class Sharing {
  private static final int MAX_IDS = 8_192;

  /** Where not all can be sent, all processes send the same traces, so that these are whole. */
  private static final Comparator<KeptTrace> IN_ONE_ORDER =
      Comparator.comparingLong(KeptTrace::spread)
          .thenComparingLong(trace -> trace.key().hi())
          .thenComparingLong(trace -> trace.key().lo());

  private final Set<KeptTrace> unsentTrouble = new LinkedHashSet<>();
  private final Set<KeptTrace> unsent = new TreeSet<>(IN_ONE_ORDER);
  private final ArrayDeque<TraceKey> keptIds = new ArrayDeque<>();
  private boolean sends;
  private boolean asks;
  private long spansNotSent;
  private long tracesNotAskedFor;

  /** Whether a trace that is not chosen stays for a while, since another process may want it. */
  boolean isOn() {
    return sends || asks;
  }

  void sends(boolean now) {
    sends = now;
    if (!now) {
      unsentTrouble.clear();
      unsent.clear();
    }
  }

  void asks(boolean now) {
    asks = now;
    if (!now) {
      keptIds.clear();
    }
  }

  /** A trace is kept from now on. */
  void kept(KeptTrace trace) {
    more(trace);
    if (asks) {
      if (keptIds.size() == MAX_IDS) {
        keptIds.remove();
        tracesNotAskedFor++;
      }
      keptIds.add(trace.key());
    }
  }

  /** A kept trace has more spans than before. */
  void more(KeptTrace trace) {
    if (sends && trace.shelf().isTrouble()) {
      unsent.remove(trace);
      unsentTrouble.add(trace);
    } else if (sends) {
      unsent.add(trace);
    }
  }

  void gone(KeptTrace trace) {
    boolean wasTrouble = unsentTrouble.remove(trace);
    if (unsent.remove(trace) || wasTrouble) {
      spansNotSent += trace.unsent();
    }
  }

  /**
   * Some traces with spans to send, which do not count as such any more: those with trouble first.
   */
  List<KeptTrace> nextToSend(int mostSpans) {
    List<KeptTrace> next = new ArrayList<>();
    int left = take(unsentTrouble, mostSpans, next);
    int unused = take(unsent, left, next);
    return next;
  }

  private static int take(Set<KeptTrace> from, int mostSpans, List<KeptTrace> to) {
    int left = mostSpans;
    for (Iterator<KeptTrace> all = from.iterator(); left > 0 && all.hasNext(); ) {
      KeptTrace trace = all.next();
      all.remove();
      to.add(trace);
      left -= trace.unsent();
    }
    return left;
  }

  /** The ids of the traces kept since this was asked last. */
  List<TraceKey> newlyKept() {
    List<TraceKey> ids = List.copyOf(keptIds);
    keptIds.clear();
    return ids;
  }

  void notAskedFor(int traces) {
    tracesNotAskedFor += traces;
  }

  long tracesNotAskedFor() {
    return tracesNotAskedFor;
  }

  void notSent(int spans) {
    spansNotSent += spans;
  }

  long spansNotSent() {
    return spansNotSent;
  }
}
