// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Origin;
import io.deimos.agent.messages.Processing;
import io.deimos.recorder.actors.MessageClasses;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The messages from one to another while they are counted, the newest first. */
final class MapEdge {
  /** The order in which edges are shown: where something failed, then by messages. */
  static final Comparator<MapEdge> HOTTEST_FIRST =
      Comparator.<MapEdge>comparingInt(edge -> edge.all.failures > 0 ? 0 : 1)
          .thenComparing(Comparator.<MapEdge>comparingLong(edge -> edge.all.messages).reversed());

  /** Beyond so many classes of messages, others are not told apart. */
  private static final int MAX_CLASSES = 32;

  private static final int CLASSES = 10;

  /** So many of the slowest traces, since some are gone by the time somebody wants to see one. */
  private static final int SLOWEST = 8;

  final MapNode from;
  final MapNode to;
  final Tally all = new Tally();
  private final Map<Integer, Tally> classes = new HashMap<>();
  private int asks;
  private int classesNotKept;
  private @Nullable Processing latest;
  private @Nullable Processing failed;

  /** The slowest first, one of each trace. */
  private final List<Processing> slowest = new ArrayList<>(SLOWEST);

  MapEdge(MapNode from, MapNode to) {
    this.from = from;
    this.to = to;
  }

  void add(MessageRecord record) {
    all.add(record);
    asks += record.origin() == Origin.ASK ? 1 : 0;
    Tally ofClass = classes.get(record.messageClass());
    if (ofClass == null && classes.size() < MAX_CLASSES) {
      ofClass = new Tally();
      classes.put(record.messageClass(), ofClass);
    }
    if (ofClass == null) {
      classesNotKept = 1;
    } else {
      ofClass.add(record);
    }
    if (latest == null) {
      latest = Processing.of(record);
    }
    if (failed == null && record.hasFailed()) {
      failed = Processing.of(record);
    }
    slow(record);
  }

  private void slow(MessageRecord record) {
    boolean isFull = slowest.size() == SLOWEST;
    long took = Math.max(0, record.waitNanos()) + record.nanos();
    if (isFull && took <= slowest.get(SLOWEST - 1).tookNanos()) {
      return;
    }
    for (int i = 0; i < slowest.size(); i++) {
      Processing other = slowest.get(i);
      if (other.span().isOf(record.traceHi(), record.traceLo())) {
        if (other.tookNanos() >= took) {
          return;
        }
        slowest.remove(i);
        break;
      }
    }
    if (slowest.size() == SLOWEST) {
      slowest.remove(SLOWEST - 1);
    }
    int at = 0;
    while (at < slowest.size() && slowest.get(at).tookNanos() >= took) {
      at++;
    }
    slowest.add(at, Processing.of(record));
  }

  boolean matches(List<SearchTerm> words) {
    for (SearchTerm word : words) {
      boolean named =
          from.matches(word)
              || to.matches(word)
              || classes.keySet().stream()
                  .anyMatch(id -> word.isIn(MessageClasses.byId(id).name()));
      if (!named) {
        return false;
      }
    }
    return true;
  }

  MessageMap.Edge read() {
    List<MessageMap.OfClass> busiest =
        classes.entrySet().stream()
            .sorted(Comparator.comparingLong(entry -> -entry.getValue().messages))
            .limit(CLASSES)
            .map(
                entry ->
                    new MessageMap.OfClass(
                        MessageClasses.byId(entry.getKey()).name(), entry.getValue().read()))
            .toList();
    Processing any = latest;
    if (any == null) {
      throw new IllegalStateException("an edge without a message");
    }
    return new MessageMap.Edge(
        from.key(),
        to.key(),
        all.read(),
        asks,
        busiest,
        classes.size() - busiest.size() + classesNotKept,
        new MessageMap.Samples(any, failed, List.copyOf(slowest)));
  }

  /** The sums of messages. */
  static final class Tally {
    long messages;
    long failures;
    long nanos;
    final short[] waits = new short[WaitBuckets.COUNT];

    void add(MessageRecord record) {
      messages++;
      failures += record.hasFailed() ? 1 : 0;
      nanos += record.nanos();
      if (record.waitNanos() >= 0) {
        WaitBuckets.add(waits, 0, record.waitNanos());
      }
    }

    MessageMap.Traffic read() {
      return new MessageMap.Traffic(
          messages, failures, WaitBuckets.quantile(waits, 0, 0.99), nanos);
    }
  }
}
