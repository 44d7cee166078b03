// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.budget.Scan;
import io.deimos.agent.messages.KindNumbers;
import io.deimos.agent.messages.MessageLog;
import io.deimos.agent.messages.MessageRecord;
import io.deimos.agent.messages.Origin;
import io.deimos.agent.messages.SpanIndex;
import io.deimos.recorder.clock.Clock;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Answers who has told whom, out of the log of messages, newest first: no more than {@value
 * LogSearch#MAX_RECORDS} records, and no longer than the scan goes on.
 *
 * <p><b>Threads.</b> Any may ask, and none waits for another.
 */
final class MapMaker {
  private final MessageLog log;
  private final KindNumbers kinds;

  /** One is kept to be used again; null while somebody uses it. */
  private final AtomicReference<SpanIndex> spare = new AtomicReference<>(new SpanIndex());

  MapMaker(MessageLog log, KindNumbers kinds) {
    this.log = log;
    this.kinds = kinds;
  }

  MessageMap map(MapQuery query, long now, Scan scan) {
    SpanIndex taken = spare.getAndSet(null);
    SpanIndex spans = taken == null ? new SpanIndex() : taken;
    try {
      return make(query, now, spans, scan);
    } finally {
      spare.set(spans);
    }
  }

  private MessageMap make(MapQuery query, long now, SpanIndex spans, Scan scan) {
    long from = now - query.seconds() * 1_000_000_000L;
    MessageRecord record = new MessageRecord();
    long end = log.written();
    long least = Math.max(0, end - Math.min(LogSearch.MAX_RECORDS, log.capacity()));
    spans.clear(least, (int) (end - least));
    long first = end;
    boolean isWhole = false;
    while (!isWhole
        && first > least
        && scan.goesOn(LogSearch.CHARACTERS_OF_A_RECORD)
        && log.copy(first - 1, record)) {
      isWhole = record.end() < from;
      if (!isWhole) {
        spans.add(record.spanId(), --first);
      }
    }
    MapCounts counts = new MapCounts(query.open(), kinds);
    MessageRecord parent = new MessageRecord();
    long oldest = now;
    long number = end;
    while (number > first
        && scan.goesOn(LogSearch.CHARACTERS_OF_A_RECORD)
        && log.copy(number - 1, record)) {
      number--;
      oldest = Math.min(oldest, record.end());
      boolean told = record.origin() == Origin.TOLD && record.senderKind() == 0;
      boolean known = told && record.parentId() != 0 && spans.find(record.parentId(), log, parent);
      counts.add(record, known ? parent : null);
    }
    if (scan.isCut()) {
      scan.leftOut("Messages before the last " + (end - number));
    }
    long since = isWhole && !scan.isCut() ? from : oldest;
    return counts.read(query, Clock.epochNanos(since), Math.max(1, (now - since) / 1e9));
  }

  /** The state that is kept from one answer to the next. */
  long bytes() {
    SpanIndex kept = spare.get();
    return kept == null ? 0 : kept.bytes();
  }
}
