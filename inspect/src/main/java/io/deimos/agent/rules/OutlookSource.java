// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.rules;

import io.deimos.agent.check.Facts;
import io.deimos.agent.check.Past;
import io.deimos.agent.check.Series;
import io.deimos.agent.check.Source;
import io.deimos.agent.check.Trend;
import io.deimos.recorder.Recorder;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.MetricsFold;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Gives what will be if it goes on so: queues that are {@link Growing}, and a heap that {@link
 * HeapFills}. A queue whose growth is within its error, or that has just begun to shrink, has no
 * forecast.
 */
public final class OutlookSource implements Source {
  private static final String STASH = "stashes";
  private static final String QUEUE = "queue";
  private static final String PROCESSED = "processed";
  private static final String HEAP = "heap";

  private static final Duration WINDOW = Duration.ofMinutes(2);
  private static final int LAST_THIRD = 2;

  private static final Map<String, Growing.Kind> KINDS =
      Map.of(
          MailboxSource.CLASS,
          Growing.Kind.MAILBOX,
          STASH,
          Growing.Kind.STASH,
          QUEUE,
          Growing.Kind.DISPATCHER);

  private final Set<String> heapPools =
      ManagementFactory.getMemoryPoolMXBeans().stream()
          .filter(pool -> pool.getType() == MemoryType.HEAP)
          .map(MemoryPoolMXBean::getName)
          .collect(Collectors.toSet());

  private long lastCollections;
  private long lastLiveBytes;

  @Override
  public void note(Past.Notes notes) {
    sizes(notes, STASH, Metric.STASH_SIZE);
    sizes(notes, QUEUE, Metric.DISPATCHER_QUEUED);
    Set<String> waiting =
        GaugeReaders.last().of(Metric.MAILBOX_SIZE).entrySet().stream()
            .filter(one -> one.getValue() >= MailboxSource.LONG)
            .map(one -> one.getKey().get(1))
            .collect(Collectors.toSet());
    Map<String, Long> processed = new HashMap<>();
    Collection<MetricsFold.Series> counted =
        waiting.isEmpty() ? List.of() : Recorder.metrics().series();
    for (MetricsFold.Series series : counted) {
      if (!series.kind().isSilent() && waiting.contains(series.kind().className())) {
        processed.merge(series.kind().className(), series.processed(), Long::sum);
      }
    }
    processed.forEach((name, count) -> notes.count(PROCESSED, name, count));
    long collections =
        ManagementFactory.getGarbageCollectorMXBeans().stream()
            .mapToLong(GarbageCollectorMXBean::getCollectionCount)
            .sum();
    if (collections != lastCollections) {
      lastCollections = collections;
      lastLiveBytes = liveBytes();
    }
    notes.size(HEAP, "", lastLiveBytes);
  }

  private static void sizes(Past.Notes notes, String name, Metric metric) {
    Map<String, Long> bySubject = new HashMap<>();
    GaugeReaders.last()
        .of(metric)
        .forEach((values, size) -> bySubject.merge(values.get(1), size, Long::sum));
    bySubject.forEach((subject, size) -> notes.size(name, subject, size));
  }

  /** The heap that the last collection of garbage has left; 0 if there was none. */
  private long liveBytes() {
    com.sun.management.GcInfo last = null;
    for (var collector : ManagementFactory.getGarbageCollectorMXBeans()) {
      if (collector instanceof com.sun.management.GarbageCollectorMXBean known) {
        com.sun.management.GcInfo info = known.getLastGcInfo();
        if (info != null && (last == null || info.getEndTime() > last.getEndTime())) {
          last = info;
        }
      }
    }
    return last == null
        ? 0
        : last.getMemoryUsageAfterGc().entrySet().stream()
            .filter(one -> heapPools.contains(one.getKey()))
            .map(Map.Entry::getValue)
            .mapToLong(MemoryUsage::getUsed)
            .sum();
  }

  @Override
  public void look(Facts facts) {
    KINDS.forEach(
        (name, kind) -> {
          for (String subject : facts.subjects(name)) {
            grows(facts, name, subject, kind);
          }
        });
    Series live = facts.past(HEAP, "");
    Trend trend = live.changes().trend();
    if (trend.rises()) {
      facts.add(new HeapFills(live.last(), Runtime.getRuntime().maxMemory(), trend));
    }
  }

  private static void grows(Facts facts, String name, String subject, Growing.Kind kind) {
    Series all = facts.past(name, subject);
    Series waiting = all.last(WINDOW);
    Trend trend = waiting.trend();
    if (trend.rises() && waiting.third(LAST_THIRD).perSecond() > 0) {
      Series processed = facts.past(PROCESSED, subject).last(WINDOW);
      double seconds = processed.length().toMillis() / 1e3;
      boolean counted = kind == Growing.Kind.MAILBOX && seconds > 0;
      facts.add(
          new Growing(
              kind,
              subject,
              waiting.last(),
              trend,
              counted ? processed.growth() / seconds : null,
              all.climbsSince()));
    }
  }
}
