// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.counts.Mailboxes;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Puts the living actors in order, and cuts parts out of that order.
 *
 * <p><b>Threads.</b> Any may ask; one at a time is answered.
 *
 * <p><b>Cost.</b> An order is kept for a second, and for {@value #SHARE} times as long as it took
 * to make, so that whoever asks however often takes no more than a twentieth of a core. It takes
 * eight bytes an actor.
 */
final class ActorList {
  private static final long LEAST_NANOS = 1_000_000_000L;
  private static final int SHARE = 20;

  private final ActorStats stats;
  private @Nullable ActorQuery asked;
  private long[] order = {};
  private int total;
  private int living;
  private int otherClasses;
  private List<ActorPage.ClassCount> mostOfOther = List.of();
  private long staleAt;
  private volatile int room;

  ActorList(ActorStats stats) {
    this.stats = stats;
  }

  synchronized ActorPage page(ActorQuery query, int offset, int limit, long now) {
    Mailboxes seen = GaugeReaders.last().mailboxes();
    if (!query.equals(asked) || now - staleAt > 0) {
      long begun = System.nanoTime();
      sort(query, seen, now);
      asked = query;
      staleAt = now + Math.max(LEAST_NANOS, SHARE * (System.nanoTime() - begun));
    }
    List<ActorLine> lines = new ArrayList<>();
    for (int i = offset; i < total && lines.size() < limit; i++) {
      long entry = order[query.descending() ? total - 1 - i : i];
      ActorTelemetry actor = Actors.byId((int) entry);
      if (actor != null) {
        lines.add(ActorLine.of(actor, stats, seen, now));
      }
    }
    return new ActorPage(lines, total, living, seen.size(), otherClasses, mostOfOther);
  }

  /** The key to sort by goes into the upper half of a long, the actor's number into the lower. */
  private void sort(ActorQuery query, Mailboxes seen, long now) {
    total = 0;
    living = 0;
    OtherClasses others = new OtherClasses();
    boolean ofOther = query.className().equals(ActorKinds.OTHER);
    Actors.forEach(
        actor -> {
          if (actor.isAlive() && !actor.kind().isHidden()) {
            living++;
            if (query.matches(actor)) {
              if (ofOther) {
                others.add(actor);
              }
              add((long) key(query.sort(), actor, seen, now) << 32 | actor.id());
            }
          }
        });
    Arrays.sort(order, 0, total);
    otherClasses = others.count();
    mostOfOther = others.most();
  }

  private void add(long entry) {
    if (total == order.length) {
      order = Arrays.copyOf(order, Math.max(1024, total * 2));
      room = order.length;
    }
    order[total++] = entry;
  }

  private int key(ActorQuery.Sort sort, ActorTelemetry actor, Mailboxes seen, long now) {
    return switch (sort) {
      case MAILBOX -> seen.waiting(actor.id());
      case RESTARTS -> Actors.restarts(actor);
      case AGE -> -(int) Actors.madeAtSecond(actor);
      default -> {
        ActorStats.Reading read = stats.read(actor.id(), now);
        yield read == null ? Integer.MIN_VALUE : key(sort, read);
      }
    };
  }

  private static int key(ActorQuery.Sort sort, ActorStats.Reading read) {
    double number =
        switch (sort) {
          case RATE -> read.ratePerSecond();
          case BUSY -> read.busyShare();
          case WAIT -> read.waitP99Nanos();
          case FAILURES -> read.failures();
          default -> read.messages();
        };
    // The bits of floats that are not negative are in the order of the floats.
    return number < 0 ? -1 : Float.floatToIntBits((float) number);
  }

  long bytes() {
    return (long) room * Long.BYTES;
  }
}
