// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.hooks;

import io.deimos.recorder.spans.Operation;
import io.deimos.recorder.trace.Link;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * The spans in which the last events were written, for those who read the events in this process. A
 * journal keeps no contexts, and what is written to it is the application's alone.
 *
 * <p><b>Threads.</b> Any; nobody waits. One write and one read for each event.
 *
 * <p><b>Full.</b> About the last {@value #MOST} events of sampled traces: each has one place by its
 * identity, where the next one with that place replaces it. There is nothing while nobody reads.
 */
final class RecentEvents {
  static final int MOST = 8192;

  private static volatile @Nullable AtomicReferenceArray<@Nullable Written> table;

  private RecentEvents() {}

  /** Somebody will read events here: from now on, what is written is remembered. */
  static synchronized void remember() {
    if (table == null) {
      table = new AtomicReferenceArray<>(MOST);
    }
  }

  /** An event is about to be written. */
  static void add(String persistenceId, long sequenceNr, Operation write) {
    AtomicReferenceArray<@Nullable Written> into = table;
    if (into != null && write.trace().isSampled()) {
      into.set(
          place(persistenceId, sequenceNr),
          new Written(
              persistenceId,
              sequenceNr,
              new Link(write.trace().hi(), write.trace().lo(), write.spanId(), Link.PROJECTION)));
    }
  }

  /** Where an event was written; null if that was elsewhere, long ago or in no sampled trace. */
  static @Nullable Link find(String persistenceId, long sequenceNr) {
    AtomicReferenceArray<@Nullable Written> in = table;
    Written found = in == null ? null : in.get(place(persistenceId, sequenceNr));
    return found != null
            && found.sequenceNr == sequenceNr
            && found.persistenceId.equals(persistenceId)
        ? found.span
        : null;
  }

  private static int place(String persistenceId, long sequenceNr) {
    // Events of one actor have places side by side.
    int hash = persistenceId.hashCode() * 0x9E3779B9;
    return ((hash >>> 16) + (int) sequenceNr) & (MOST - 1);
  }

  private record Written(String persistenceId, long sequenceNr, Link span) {}
}
