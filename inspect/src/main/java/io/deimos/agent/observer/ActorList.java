// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.Scan;
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
 * <p><b>Threads.</b> Any may ask, and none waits for another.
 *
 * <p><b>Cost.</b> The last order is kept for a second, and for {@value #SHARE} times as long as it
 * took to make, for whoever asks the same. It takes eight bytes an actor.
 */
final class ActorList {
  private static final long LEAST_NANOS = 1_000_000_000L;
  private static final int SHARE = 20;

  /** An actor takes about as long as so many characters that are searched. */
  private static final int CHARACTERS_OF_AN_ACTOR = 128;

  private final ActorStats stats;
  private volatile @Nullable Order last;

  ActorList(ActorStats stats) {
    this.stats = stats;
  }

  ActorPage page(ActorQuery query, int offset, int limit, long now, Scan scan) {
    Mailboxes seen = GaugeReaders.last().mailboxes();
    Order known = last;
    Order order = known;
    if (order == null || !query.equals(order.query) || now - order.staleAt > 0) {
      order = new Order(query, known == null ? 0 : known.total);
      order.sort(stats, seen, now, scan);
      if (!scan.isCut()) {
        last = order;
      }
    }
    List<ActorLine> lines = new ArrayList<>();
    for (int i = offset; i < order.total && lines.size() < limit; i++) {
      ActorTelemetry actor = order.at(i);
      if (actor != null) {
        lines.add(ActorLine.of(actor, stats, seen, now));
      }
    }
    return new ActorPage(
        lines, order.total, order.living, seen.size(), order.otherClasses, order.mostOfOther);
  }

  long bytes() {
    Order known = last;
    return known == null ? 0 : (long) known.order.length * Long.BYTES;
  }

  /** One order; nobody changes it once it is made. */
  private static final class Order {
    private final ActorQuery query;
    private long[] order;
    private int total;
    private int living;
    private int otherClasses;
    private List<ActorPage.ClassCount> mostOfOther = List.of();
    private long staleAt;

    Order(ActorQuery query, int expected) {
      this.query = query;
      this.order = new long[expected];
    }

    /** The key to sort by goes into the upper half of a long, the actor's number into the lower. */
    void sort(ActorStats stats, Mailboxes seen, long now, Scan scan) {
      long begun = System.nanoTime();
      OtherClasses others = new OtherClasses();
      boolean ofOther = query.className().equals(ActorKinds.OTHER);
      Actors.forEach(
          actor -> {
            if (scan.goesOn(CHARACTERS_OF_AN_ACTOR)
                && actor.isAlive()
                && !actor.kind().isHidden()) {
              living++;
              if (query.matches(actor)) {
                if (ofOther) {
                  others.add(actor);
                }
                add((long) key(stats, query.sort(), actor, seen, now) << 32 | actor.id());
              }
            }
          });
      Arrays.sort(order, 0, total);
      otherClasses = others.count();
      mostOfOther = others.most();
      if (scan.isCut()) {
        scan.leftOut("Actors but for the first " + living + " that were looked at");
      }
      staleAt = now + Math.max(LEAST_NANOS, SHARE * (System.nanoTime() - begun));
    }

    private void add(long entry) {
      if (total == order.length) {
        order = Arrays.copyOf(order, Math.max(1024, total * 2));
      }
      order[total++] = entry;
    }

    @Nullable ActorTelemetry at(int place) {
      return Actors.byId((int) order[query.descending() ? total - 1 - place : place]);
    }
  }

  private static int key(
      ActorStats stats, ActorQuery.Sort sort, ActorTelemetry actor, Mailboxes seen, long now) {
    return switch (sort) {
      case MAILBOX -> seen.waiting(actor.id());
      case PEAK -> seen.peak(actor.id());
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
          case WAIT -> read.waitP99Nanos() == null ? -1 : read.waitP99Nanos();
          case FAILURES -> read.failures();
          default -> read.messages();
        };
    // The bits of floats that are not negative are in the order of the floats.
    return number < 0 ? -1 : Float.floatToIntBits((float) number);
  }
}
