// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.store;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * What a store has to pass on while other processes have parts of the same traces: spans of kept
 * traces, where it sends them to the page, and the ids of kept traces, where it is the page's. Not
 * safe for threads: called under the store's lock.
 */
final class Sharing {
  private static final int MOST_IDS = 8_192;

  private final Set<KeptTrace> unsent = new LinkedHashSet<>();
  private final ArrayDeque<TraceKey> keptIds = new ArrayDeque<>();
  private boolean sends;
  private boolean asks;
  private long spansNotSent;

  /** Whether a trace that is not chosen stays for a while, since another process may want it. */
  boolean isOn() {
    return sends || asks;
  }

  void sends(boolean now) {
    sends = now;
    if (!now) {
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
      if (keptIds.size() == MOST_IDS) {
        keptIds.remove();
      }
      keptIds.add(trace.key());
    }
  }

  /** A kept trace has more spans than before. */
  void more(KeptTrace trace) {
    if (sends) {
      unsent.add(trace);
    }
  }

  void gone(KeptTrace trace) {
    if (unsent.remove(trace)) {
      spansNotSent += trace.unsent();
    }
  }

  /** Some traces with spans to send, which do not count as such any more. */
  List<KeptTrace> nextToSend(int mostSpans) {
    List<KeptTrace> next = new ArrayList<>();
    int left = mostSpans;
    for (Iterator<KeptTrace> all = unsent.iterator(); left > 0 && all.hasNext(); ) {
      KeptTrace trace = all.next();
      all.remove();
      next.add(trace);
      left -= trace.unsent();
    }
    return next;
  }

  /** The ids of the traces kept since this was asked last. */
  List<TraceKey> newlyKept() {
    List<TraceKey> ids = List.copyOf(keptIds);
    keptIds.clear();
    return ids;
  }

  void notSent(int spans) {
    spansNotSent += spans;
  }

  long spansNotSent() {
    return spansNotSent;
  }
}
