// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.messages.KindNumbers;
import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Origin;
import io.deimos.agent.messages.SpanIndex;
import io.deimos.agent.messages.SpanRef;
import io.deimos.recorder.actors.ActorKind;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.clock.Clock;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One search among the messages that were processed, newest first: no more than {@value
 * #MAX_RECORDS} records, and no longer than its scan goes on.
 */
final class LogSearch {
  static final int MAX_RECORDS = 1 << 20;

  /** A record takes about as long as so many characters that are searched. */
  static final int CHARACTERS_OF_A_RECORD = 32;

  /** So many names of actors are kept during a search. */
  private static final int MAX_NAMES = 10_000;

  private final MessageLog log;
  private final KindNumbers kinds;
  private final WhereQuery query;
  private final Scan scan;
  private final SpanIndex spans = new SpanIndex();
  private final MessageRecord parent = new MessageRecord();
  private final Map<Long, Party> parties = new HashMap<>();
  private final Map<Integer, Boolean> messages = new HashMap<>();
  private final long end;
  private long first;
  private long looked;
  private long oldest;
  private boolean cut;

  LogSearch(MessageLog log, KindNumbers kinds, WhereQuery query, Scan scan) {
    this.scan = scan;
    this.log = log;
    this.kinds = kinds;
    this.query = query;
    end = log.written();
    long oldestKept = Math.max(0, end - Math.min(MAX_RECORDS, log.capacity()));
    spans.clear(oldestKept, (int) (end - oldestKept));
    MessageRecord record = new MessageRecord();
    first = end;
    while (first > oldestKept && scan.goesOn(CHARACTERS_OF_A_RECORD)) {
      if (log.copy(--first, record)) {
        spans.add(record.spanId(), first);
      }
    }
  }

  /** How many records were looked at. */
  long looked() {
    return looked;
  }

  /** When the oldest of them began, since 1970; 0 if there was none. */
  long oldestEpochNanos() {
    return looked == 0 ? 0 : Clock.epochNanos(oldest);
  }

  /** Whether there are records that were not looked at. */
  boolean isCut() {
    return cut;
  }

  /** The actor at work in a span when a message was sent from it; null if that is not known. */
  @Nullable Party at(long spanId) {
    return spanId != 0 && spans.find(spanId, log, parent)
        ? party(parent.receiver(), parent.receiverKind())
        : null;
  }

  void run(Sightings into) {
    MessageRecord record = new MessageRecord();
    long number = end - 1;
    for (; number >= first && log.copy(number, record); number--) {
      if (!scan.goesOn(CHARACTERS_OF_A_RECORD)) {
        cut = true;
        break;
      }
      looked++;
      oldest = record.start();
      look(record, into);
    }
    cut |= first > 0 && number < first && log.copy(first - 1, record);
  }

  private void look(MessageRecord record, Sightings into) {
    String message = MessageClasses.byId(record.messageClass()).name();
    if (!query.isOfTrace(record.traceHi(), record.traceLo())
        || !messages.computeIfAbsent(record.messageClass(), id -> query.isMessage(message))) {
      return;
    }
    Party actor = party(record.receiver(), record.receiverKind());
    if (!query.isActor(actor.path(), actor.type())) {
      return;
    }
    Party sender = query.readsSender() ? sender(record) : Party.NOBODY;
    if (query.isSender(sender.path(), sender.type())
        && query.says(() -> null, message, actor.path(), actor.type(), sender.path())) {
      Fate fate = record.hasFailed() ? Fate.FAILED : Fate.PROCESSED;
      into.add(fate, record.spanId(), () -> sighting(record, message));
    }
  }

  private Sighting sighting(MessageRecord record, String message) {
    Party actor = party(record.receiver(), record.receiverKind());
    Party sender = sender(record);
    String name = Descriptions.name(message);
    String who = Descriptions.actor(actor.path(), actor.type());
    String waited =
        record.waitNanos() < 0
            ? ""
            : ", after " + Descriptions.time(record.waitNanos()) + " in its mailbox";
    String story =
        record.hasFailed()
            ? who + " failed at " + name + " after " + Descriptions.time(record.nanos())
            : name
                + " was processed by "
                + who
                + " in "
                + Descriptions.time(record.nanos())
                + waited;
    return new Sighting(
        record.hasFailed() ? Fate.FAILED : Fate.PROCESSED,
        story + Descriptions.by(sender.path()) + '.',
        Sighting.Parties.of(message, actor.path(), actor.type(), sender.path()),
        Sighting.Times.at(Clock.epochNanos(record.start()))
            .waited(record.waitNanos() < 0 ? null : record.waitNanos())
            .took(record.nanos()),
        SpanRef.of(record),
        null,
        null,
        null);
  }

  /** The sender; a typed actor does so without its name, but within a span. */
  private Party sender(MessageRecord record) {
    if (record.sender() != 0 || record.senderKind() != 0) {
      return party(record.sender(), record.senderKind());
    }
    Party at = record.origin() == Origin.TOLD ? at(record.parentId()) : null;
    return at == null ? Party.NOBODY : at;
  }

  private Party party(int id, int kind) {
    if (parties.size() >= MAX_NAMES) {
      parties.clear();
    }
    return parties.computeIfAbsent((long) id << 32 | kind, key -> named(id, kind));
  }

  private Party named(int id, int kind) {
    ActorTelemetry actor = id == 0 ? null : Actors.byId(id);
    ActorKind known = kinds.byNumber(kind);
    return new Party(
        actor == null ? "" : actor.path(),
        actor != null ? actor.className() : known == null ? "" : known.className());
  }

  /** An actor by its names; empty where they are not known. */
  record Party(String path, String type) {
    static final Party NOBODY = new Party("", "");
  }
}
