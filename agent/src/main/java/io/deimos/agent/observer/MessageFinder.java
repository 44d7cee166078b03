// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.store.TraceStore;
import io.deimos.recorder.housekeeping.GaugeReaders;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
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
 * <p><b>Threads.</b> Any may ask; one at a time is answered, and no actor's thread takes part.
 *
 * <p><b>Cost.</b> A search ends after {@value #MOST_NANOS} ns. An answer is kept for a second.
 * Whoever asks however often takes no more than a twentieth of a core: what was used beyond that is
 * owed, and who asks while more than {@value #CREDIT_NANOS} ns are owed is told to come later.
 */
final class MessageFinder {
  private static final long MOST_NANOS = 1_000_000_000L;
  private static final long KEPT_NANOS = 1_000_000_000L;
  private static final int SHARE = 20;
  private static final long CREDIT_NANOS = 10_000_000_000L;

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

  /** Loaded with the first search: the JVM's management is a hundred classes. */
  private static final class Threads {
    static final ThreadMXBean ALL = ManagementFactory.getThreadMXBean();
  }

  private final MessageLog log;
  private final KindNumbers kinds;
  private final TroubleBook trouble;
  private @Nullable Asked asked;
  private @Nullable Whereabouts answer;
  private long staleAt;
  private long owedUntil = System.nanoTime();

  MessageFinder(MessageLog log, KindNumbers kinds, TroubleBook trouble) {
    this.log = log;
    this.kinds = kinds;
    this.trouble = trouble;
  }

  private record Asked(WhereQuery query, int limit) {}

  /**
   * Looks for messages.
   *
   * @param store null if no traces are kept
   * @param limit how many are shown
   * @return null if searches have taken too much of late
   */
  synchronized @Nullable Whereabouts find(WhereQuery query, @Nullable TraceStore store, int limit) {
    long begun = System.nanoTime();
    Asked now = new Asked(query, limit);
    Whereabouts known = answer;
    if (known != null && now.equals(asked) && begun - staleAt < 0) {
      return known;
    }
    if (owedUntil - begun > CREDIT_NANOS) {
      return null;
    }
    long usedBefore = used();
    Whereabouts made = search(query, store, limit, begun + MOST_NANOS);
    long used = used() - usedBefore;
    long ended = System.nanoTime();
    asked = now;
    answer = made;
    staleAt = ended + KEPT_NANOS;
    owedUntil = Math.max(owedUntil - begun, 0) + begun + SHARE * used;
    return made;
  }

  /** What this thread has taken of a core; where the JVM does not say, the time. */
  private static long used() {
    long used =
        Threads.ALL.isCurrentThreadCpuTimeSupported() ? Threads.ALL.getCurrentThreadCpuTime() : -1;
    return used < 0 ? System.nanoTime() : used;
  }

  /** After how many seconds there may be another search. */
  synchronized long secondsToWait() {
    return 1 + Math.max(0, owedUntil - CREDIT_NANOS - System.nanoTime()) / 1_000_000_000L;
  }

  private Whereabouts search(
      WhereQuery query, @Nullable TraceStore store, int limit, long deadline) {
    Sightings found = new Sightings(limit);
    LogSearch records = new LogSearch(log, kinds, query);
    WaitingSearch waiting = new WaitingSearch(query, records, found, deadline);
    waiting.atWork();
    GaugeReaders.search(waiting);
    Set<String> dead = new HashSet<>();
    int troubles = troubles(query, found, dead);
    records.run(found, deadline);
    StoreSearch traces = store == null ? null : new StoreSearch(store, query, dead);
    if (traces != null) {
      traces.run(found, deadline);
    }
    List<String> notes = new ArrayList<>(waiting.notes());
    if (records.isCut()) {
      notes.add("Records of messages older than the first " + records.looked() + ".");
    }
    if (traces != null) {
      notes.addAll(traces.notes());
    }
    if (query.readsContent()) {
      notes.add(
          "What messages say, but for the classes in deimos.content.messages: no more is"
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
        group.messageClass(),
        example.actorPath(),
        group.actorClass(),
        example.senderPath(),
        example.epochNanos(),
        0,
        -1,
        -1,
        -1,
        example.traceHi(),
        example.traceLo(),
        example.spanId(),
        null,
        group.id(),
        "");
  }
}
