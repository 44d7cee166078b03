// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.spans.Rare;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * Incidents that were seen from outside while a span was open, until its record comes.
 *
 * <p><b>Threads.</b> The drainer asks, housekeeping keeps and forgets.
 */
public final class LateIncidents {
  /** How many spans are waited for; what is seen in more is told but is no event. */
  private static final int MOST = 1024;

  /** For how long an incident waits for the record of a span that has ended meanwhile. */
  private static final long KEPT_NANOS = 60_000_000_000L;

  private static final Map<Long, List<Incident>> PENDING = new ConcurrentHashMap<>();

  private LateIncidents() {}

  /** Keeps an incident until the record of its span comes. */
  public static void keep(long spanId, Incident incident) {
    if (PENDING.size() < MOST || PENDING.containsKey(spanId)) {
      PENDING.merge(spanId, List.of(incident), (before, one) -> Incident.with(before, one.get(0)));
    }
  }

  /** Drops what waits for a record that came before it, or was itself dropped. */
  public static void forget(long nowNanos, LongPredicate isOpen) {
    if (!PENDING.isEmpty()) {
      PENDING
          .entrySet()
          .removeIf(
              entry ->
                  nowNanos - entry.getValue().get(0).atNanos() > KEPT_NANOS
                      && !isOpen.test(entry.getKey()));
    }
  }

  /** The rare parts beside a record, with the incidents that were seen while its span was open. */
  static @Nullable Rare beside(long spanId, @Nullable Rare rare) {
    if (PENDING.isEmpty()) {
      return rare;
    }
    List<Incident> seen = PENDING.remove(spanId);
    Rare with = rare;
    for (Incident incident : seen == null ? List.<Incident>of() : seen) {
      with = Rare.with(with, incident);
    }
    return with;
  }
}
