// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.messages.KindNumbers;
import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.SpanRef;
import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds out what became of a message: looks at what threads are at, at what waits, at what went
 * wrong, at the log of processed messages, and at the traces that are kept.
 *
 * <p><b>Threads.</b> Any may ask; no actor's thread takes part.
 *
 * <p><b>Cost.</b> A search takes no longer than its scan goes on.
 */
final class MessageFinder {
  /** Kinds of trouble that tell what became of a message. */
  private static final Map<String, Fate> TROUBLES =
      Map.of(
          "failure",
          Fate.FAILED,
          "ask_timeout",
          Fate.ASK_TIMEOUT,
          "ask_failed",
          Fate.ASK_FAILED,
          "dead_letter",
          Fate.DEAD_LETTER,
          TroubleBook.DROPPED,
          Fate.DEAD_LETTER,
          "stuck",
          Fate.STUCK);

  private final MessageLog log;
  private final KindNumbers kinds;
  private final TroubleBook trouble;

  MessageFinder(MessageLog log, KindNumbers kinds, TroubleBook trouble) {
    this.log = log;
    this.kinds = kinds;
    this.trouble = trouble;
  }

  /**
   * Looks for messages.
   *
   * @param store null if no traces are kept
   * @param limit how many are shown
   */
  Whereabouts find(WhereQuery query, @Nullable TraceStore store, int limit, Scan scan) {
    Sightings found = new Sightings(limit);
    LogSearch records = new LogSearch(log, kinds, query, scan);
    WaitingSearch waiting = new WaitingSearch(query, records, found, scan);
    waiting.atWork();
    GaugeReaders.search(waiting);
    Set<String> dead = new HashSet<>();
    int troubles = troubles(query, found, dead);
    records.run(found);
    StoreSearch traces = store == null ? null : new StoreSearch(store, query, dead);
    if (traces != null) {
      traces.run(found, scan);
    }
    List<String> notes = new ArrayList<>(waiting.notes());
    if (records.isCut()) {
      notes.add("Records of messages older than the first " + records.looked() + ".");
    }
    if (traces != null) {
      notes.addAll(traces.notes());
    }
    notes.addAll(scan.notLookedAt());
    if (query.readsContent()) {
      notes.add(
          "Content of messages, but for the classes in deimos.content.messages: no more is"
              + " recorded.");
    }
    notes.add(
        "Messages without a span once they are processed: of actors with tracing off, of most of"
            + " Pekko's own, and of traces that are not sampled. Records come up to a quarter of a"
            + " second late, and the oldest make room ("
            + "deimos.observer.memory).");
    return new Whereabouts(
        found.shown(),
        found.counts(),
        new Whereabouts.Looked(
            records.looked(),
            records.oldestEpochNanos(),
            waiting.actors(),
            waiting.waiting(),
            waiting.asks(),
            troubles,
            traces == null ? 0 : traces.traces()),
        notes);
  }

  private int troubles(WhereQuery query, Sightings found, Set<String> dead) {
    int looked = 0;
    for (TroubleGroup group : trouble.groups()) {
      Fate fate = TROUBLES.get(group.kind());
      if (fate == null || !query.isMessage(group.messageClass())) {
        continue;
      }
      for (TroubleGroup.Example example : group.examples()) {
        looked++;
        if (query.isOfTrace(example.traceHi(), example.traceLo())
            && query.isActor(example.actorPath(), group.actorClass())
            && query.isSender(example.senderPath(), "")
            && query.says(
                example::story,
                group.messageClass(),
                example.actorPath(),
                group.actorClass(),
                example.senderPath())) {
          found.add(
              fate,
              fate.isOfItsSpan() ? example.spanId() : 0,
              () -> sighting(fate, group, example));
          dead.add(StoreSearch.key(example.spanId(), example.epochNanos()));
        }
      }
    }
    return looked;
  }

  private static Sighting sighting(Fate fate, TroubleGroup group, TroubleGroup.Example example) {
    return new Sighting(
        fate,
        example.story(),
        Sighting.Parties.of(
            group.messageClass(), example.actorPath(), group.actorClass(), example.senderPath()),
        Sighting.Times.at(example.epochNanos()),
        SpanRef.of(example.traceHi(), example.traceLo(), example.spanId()),
        null,
        group.id(),
        null);
  }
}
