// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.MessageClass;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.base.Distinct;
import io.deimos.recorder.base.Folds;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Bounds how many pairs of actor and message class have counts of their own. The first ones have;
 * once the budget is spent, the rest is folded: counted together under {@code other}, one for each
 * actor system. The choice is made anew after every window: a folded pair that has become heavy
 * takes the place of the own one with the least messages.
 *
 * <p>A folded pair costs no counts of its own. It counts in one of {@link #BUCKETS} arrays of its
 * thread, and in another one in the next window; what is in a hot array three windows running is
 * what makes it hot (a count-min sketch whose rows follow each other in time).
 *
 * <p>No count ever goes back. The counts of a pair from the time when it had a series stay there,
 * are told for one more window, so that all collectors have seen the last, and are taken up again
 * if it gets the series back; unless {@link #restart} says that the collector wants differences and
 * would take the past for new.
 *
 * <p><b>Threads.</b> Any, but never an actor's: an actor's thread makes a cell with counts of its
 * own, and {@link #adopt} looks at it within a second, or who collects before that. All that is
 * here is under this object's lock.
 */
public final class SeriesBudget {
  static final int BUCKETS = 32;

  /** How many actor systems have an {@code other} of their own. */
  static final int SYSTEMS = 16;

  /** Pairs that are told apart while they are folded. */
  private static final int PAIRS = 1 << 16;

  /** So many messages a window are no reason to change anything. */
  private static final long FEW = 16;

  private static final String OTHER = "other";

  private static volatile SeriesBudget current = of(RecorderConfig.current());

  private final int most;
  private final long windowNanos;
  private final int mostPairs;
  private final Map<Key, Pair> pairs = new HashMap<>();
  private final Map<String, Pair> others = new HashMap<>();
  private final Map<String, long[]> heatBefore = new HashMap<>();

  /** Pairs that are not even known, since there are too many. */
  private final Distinct beyond = new Distinct();

  private Set<Pair> leaving = Set.of();
  private int own;
  private int salt;
  private long windowBegan = Clock.now();
  private volatile int folded;
  private volatile boolean restart;

  /**
   * @param series how many series there may be, {@code other} included; at least 2 * {@link
   *     #SYSTEMS}
   */
  SeriesBudget(int series, long windowNanos) {
    this(series, windowNanos, PAIRS);
  }

  SeriesBudget(int series, long windowNanos, int pairs) {
    // Besides these there are those of the systems, and for a window those that have just ended.
    this.most = (series - SYSTEMS) * 8 / 9;
    this.windowNanos = windowNanos;
    this.mostPairs = pairs;
  }

  /** The pairs of actor and message class that have counts of their own in this process. */
  public static SeriesBudget current() {
    return current;
  }

  public static void use(SeriesBudget chosen) {
    current = chosen;
  }

  public static SeriesBudget of(RecorderConfig config) {
    return new SeriesBudget(
        config.series().max(), config.series().windowSeconds() * 1_000_000_000L);
  }

  /** Has a series that comes back begin at zero. */
  public void restart() {
    restart = true;
  }

  /** How many pairs are counted under {@code other} now. */
  public int folded() {
    return folded + beyond.count();
  }

  /** Finds the pairs of cells that are new; what they counted stays theirs, or goes to others. */
  public synchronized void adopt(Collection<? extends CountedCells> tables) {
    others.values().forEach(Pair::settle);
    for (CountedCells table : tables) {
      table.forNew(cell -> adopt(table, cell));
    }
  }

  private void adopt(CountedCells table, MessageCell cell) {
    if (cell.kind.isHidden()) {
      return;
    }
    Pair pair = pair(cell.kind.main(), cell.message);
    if (!pair.own) {
      long[] before = cell.countIn(shared(pair, table));
      if (before != MessageCell.NOTHING) {
        other(pair.kind.system()).retired.add(before);
      }
    }
    cell.pair = pair;
  }

  private Pair pair(ActorKind kind, MessageClass message) {
    Key key = new Key(kind, message.id());
    Pair pair = pairs.get(key);
    if (pair == null) {
      boolean room = own < most;
      if (!room && pairs.size() >= mostPairs) {
        beyond.add(key);
        return other(kind.system());
      }
      pair = new Pair(kind, message, room);
      pairs.put(key, pair);
      own += room ? 1 : 0;
      folded = pairs.size() - own;
    }
    return pair;
  }

  private Pair other(String system) {
    String name = others.size() < SYSTEMS - 1 || others.containsKey(system) ? system : OTHER;
    if (!name.equals(system)) {
      Folds.system(system);
    }
    return others.computeIfAbsent(
        name, n -> new Pair(ActorKind.other(n), MessageClasses.OTHER, false));
  }

  private long[] shared(Pair pair, CountedCells table) {
    return table.shared()
        .computeIfAbsent(
            other(pair.kind.system()).kind.system(), s -> new long[BUCKETS][MessageCell.SIZE])[
        bucket(pair)];
  }

  private int bucket(Pair pair) {
    // Whole mixing: what shares a bucket in one window shall not in the next.
    int h = pair.hash ^ salt;
    h = (h ^ (h >>> 16)) * 0x85EBCA6B;
    h = (h ^ (h >>> 13)) * 0xC2B2AE35;
    return (h ^ (h >>> 16)) & (BUCKETS - 1);
  }

  /** Sums the counts of all tables; ends a window if it is time to. */
  public synchronized MetricsFold fold(Collection<? extends CountedCells> tables) {
    adopt(tables);
    long now = Clock.now();
    if (now - windowBegan >= windowNanos) {
      windowBegan = now;
      endWindow(tables);
    }
    MetricsFold fold = new MetricsFold();
    for (CountedCells table : tables) {
      table.forEach(
          (pair, cell) -> {
            if (pair.own) {
              fold.add(pair, cell);
            }
          });
      table.shared().forEach((system, buckets) -> fold.addOther(other(system), buckets));
    }
    leaving.forEach(fold::addPast);
    return fold;
  }

  /** Looks which pairs deserve a series; called by {@link #fold}, and by tests. */
  synchronized void endWindow(Collection<? extends CountedCells> tables) {
    adopt(tables);
    rate(tables);
    Set<Pair> moved = folded == 0 ? Set.of() : exchange();
    leaving = moved.stream().filter(pair -> !pair.own).collect(Collectors.toSet());
    salt += 0x61C88647;
    for (CountedCells table : tables) {
      table.forEach((pair, cell) -> deal(table, pair, cell, moved.contains(pair)));
    }
  }

  private void rate(Collection<? extends CountedCells> tables) {
    pairs.values().forEach(pair -> pair.now = 0);
    Map<String, long[]> heat = new HashMap<>();
    for (CountedCells table : tables) {
      table.forEach((pair, cell) -> pair.now += pair.own ? cell.processed() : 0);
      table
          .shared()
          .forEach(
              (system, buckets) -> {
                long[] sums = heat.computeIfAbsent(system, s -> new long[BUCKETS]);
                for (int i = 0; i < BUCKETS; i++) {
                  sums[i] += MessageCell.processed(buckets[i]);
                }
              });
    }
    Map<String, long[]> above = new HashMap<>();
    heat.forEach((system, sums) -> above.put(system, above(system, sums)));
    for (Pair pair : pairs.values()) {
      pair.settle();
      if (pair.own) {
        pair.rate();
      } else {
        long[] buckets = above.get(other(pair.kind.system()).kind.system());
        pair.heat(buckets == null ? 0 : buckets[bucket(pair)]);
      }
    }
  }

  /** By how much each bucket grew more than the median one did. */
  private long[] above(String system, long[] sums) {
    long[] before = heatBefore.put(system, sums);
    long[] grown = sums.clone();
    for (int i = 0; before != null && i < BUCKETS; i++) {
      grown[i] -= before[i];
    }
    long[] sorted = grown.clone();
    Arrays.sort(sorted);
    for (int i = 0; i < BUCKETS; i++) {
      grown[i] -= sorted[BUCKETS / 2];
    }
    return grown;
  }

  /** The pairs that change sides. */
  private Set<Pair> exchange() {
    List<Pair> rising = new ArrayList<>();
    List<Pair> falling = new ArrayList<>();
    for (Pair pair : pairs.values()) {
      if (pair.own) {
        falling.add(pair);
      } else if (pair.estimate() > FEW) {
        rising.add(pair);
      }
    }
    rising.sort(Comparator.comparingLong(Pair::estimate).reversed());
    falling.sort(Comparator.comparingLong(pair -> pair.score));
    Set<Pair> moved = new HashSet<>();
    int most = Math.min(Math.min(rising.size(), falling.size()), falling.size() / 8 + 1);
    for (int i = 0; i < most; i++) {
      Pair up = rising.get(i);
      Pair down = falling.get(i);
      long expected = up.estimate();
      if (expected <= 2 * down.score + FEW) {
        break;
      }
      if (restart) {
        up.forgetPast();
      }
      up.begins(expected);
      down.ends();
      moved.add(up);
      moved.add(down);
    }
    return moved;
  }

  private void deal(CountedCells table, Pair pair, MessageCell cell, boolean moved) {
    if (!pair.own) {
      if (others.containsValue(pair)) {
        return;
      }
      long[] before = cell.countIn(shared(pair, table));
      if (moved) {
        pair.retired.add(before);
      }
    } else if (moved) {
      cell.countIn(MessageCell.NOTHING);
    }
  }

  private record Key(ActorKind kind, int message) {}
}
