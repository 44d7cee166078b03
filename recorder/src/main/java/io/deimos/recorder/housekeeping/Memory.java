// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.ring.Lanes;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.LongSupplier;

/**
 * The heap that the agent keeps and that grows and shrinks, in bytes by purpose. Each holder says
 * what it takes when it is asked; nothing is counted on the way of a message. Safe for any thread.
 */
public final class Memory {
  /** The purpose of memory. */
  public enum Purpose {
    /** Records that were just written. */
    RINGS,
    /** Records that the exporter has no room for yet. */
    BACKLOG,
    /** Records held back until it is known whether their trace is exported. */
    HELD,
    /** Traces that the page shows. */
    STORE,
    /** Requests to the collector, and what is kept to make them faster. */
    CACHES,
    /** Actors by their numbers, those included that have just stopped. */
    ACTORS,
    /** The page's knowledge of single actors. */
    OBSERVER,
    /** Data of processes that have joined the page, as they come and as they are kept. */
    LINKS;

    /** As a metric's attribute has it. */
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** An actor's own object, and its place in the table. */
  private static final int ACTOR_BYTES = 32 + 4 + 4 + 4 + 1;

  private static final List<Holder> HOLDERS = new CopyOnWriteArrayList<>();

  static { // none of these classes may be loaded here: the recorder may not be configured yet
    add(Purpose.RINGS, () -> Lanes.ringBytes());
    add(Purpose.BACKLOG, () -> Drainer.backlogBytes());
    add(Purpose.ACTORS, () -> Actors.taken() * ACTOR_BYTES);
  }

  private Memory() {}

  /** Adds one who takes memory as long as the process runs. */
  public static void add(Purpose purpose, LongSupplier bytes) {
    HOLDERS.add(new Holder(purpose, bytes));
  }

  /** The bytes taken now. */
  public static Map<Purpose, Long> bytes() {
    Map<Purpose, Long> sums = new EnumMap<>(Purpose.class);
    for (Purpose purpose : Purpose.values()) {
      sums.put(purpose, 0L);
    }
    for (Holder holder : HOLDERS) {
      sums.merge(holder.purpose, holder.bytes.getAsLong(), Long::sum);
    }
    return sums;
  }

  private record Holder(Purpose purpose, LongSupplier bytes) {}
}
