// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.counts.AskMetrics;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.hooks.EventHooks;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.trouble.Incidents;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToLongFunction;

/**
 * How often trouble of each kind has happened in this process, by the counters that all metrics are
 * read from, and groups for what is known by its number only. Safe for any thread.
 */
final class TroubleTotals {
  private static final String ONLY_COUNTED = "only counted";

  private final TroubleBook book;
  private final ToldTrouble told;

  TroubleTotals(TroubleBook book, ToldTrouble told) {
    this.book = book;
    this.told = told;
  }

  /** The totals of the kinds that have a counter. */
  Map<String, Long> byKind() {
    Map<String, Long> totals = new TreeMap<>();
    totals.put(EventName.DEAD_LETTER.word(), EventHooks.deadLetters());
    totals.put(
        EventName.ASK_TIMEOUT.word(),
        AskMetrics.series().stream().mapToLong(AskMetrics.Series::timeouts).sum());
    totals.put(TroubleBook.FAILURE, ofActors(ActorKind::failed));
    totals.put("restart", ofActors(ActorKind::restarted));
    totals.put("unhandled", EventHooks.unhandled());
    totals.put(TroubleBook.DROPPED, EventHooks.dropped());
    totals.put(EventName.STARVATION.word(), Metric.STARVATIONS.tally().sum());
    return totals;
  }

  private static long ofActors(ToLongFunction<ActorKind> count) {
    return ActorKinds.all().stream().filter(kind -> !kind.isSilent()).mapToLong(count).sum();
  }

  /** All groups, the latest first; then those that are only counted. */
  List<TroubleGroup> groups() {
    List<TroubleGroup> groups = new ArrayList<>(book.groups());
    Map<String, Long> rest = new TreeMap<>(book.letGoByKind());
    add(rest, EventName.DEAD_LETTER, EventName.DEAD_LETTER.word());
    add(rest, EventName.ASK_TIMEOUT, EventName.ASK_TIMEOUT.word());
    add(rest, EventName.FAILED, TroubleBook.FAILURE);
    rest.remove(TroubleBook.DROPPED); // its counter is a group itself
    Map<String, Long> totals = byKind();
    Map<String, Long> shown = new TreeMap<>();
    groups.forEach(group -> shown.merge(group.kind(), group.count(), Long::sum));
    rest.forEach(
        (kind, count) -> {
          long room = totals.getOrDefault(kind, Long.MAX_VALUE) - shown.getOrDefault(kind, 0L);
          if (Math.min(count, room) > 0) {
            groups.add(onlyCounted(kind, Math.min(count, room)));
          }
        });
    return groups;
  }

  private void add(Map<String, Long> to, EventName event, String kind) {
    to.merge(kind, told.leftOut(event) + Incidents.untold(event), Long::sum);
  }

  private static TroubleGroup onlyCounted(String kind, long count) {
    return TroubleGroup.counted(
        kind,
        "",
        ONLY_COUNTED,
        count,
        "Only counted: "
            + (kind.equals(EventName.DEAD_LETTER.word()) ? "for Pekko's own actors, " : "")
            + "of messages without a record beyond "
            + ToldTrouble.MAX_PER_SECOND
            + " a second, of groups that made room for others, or while"
            + " deimos.forensics.enabled was off.",
        "");
  }
}
