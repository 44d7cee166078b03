// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.clock.Clock;
import org.jspecify.annotations.Nullable;

/**
 * Answers who has told whom, out of the log of messages.
 *
 * <p><b>Threads.</b> Any may ask; one at a time is answered.
 *
 * <p><b>Cost.</b> The last answer is kept for a second, and for {@value #SHARE} times as long as it
 * took to make: who asks the same again and again takes no more than a twentieth of a core.
 */
final class MapMaker {
  private static final long LEAST_NANOS = 1_000_000_000L;
  private static final int SHARE = 20;

  private final MessageLog log;
  private final KindNumbers kinds;
  private final SpanIndex spans = new SpanIndex();
  private @Nullable MapQuery asked;
  private @Nullable MessageMap answer;
  private long staleAt;
  private volatile long bytes;

  MapMaker(MessageLog log, KindNumbers kinds) {
    this.log = log;
    this.kinds = kinds;
  }

  synchronized MessageMap map(MapQuery query, long now) {
    MessageMap known = answer;
    if (known != null && query.equals(asked) && now - staleAt < 0) {
      return known;
    }
    long begun = System.nanoTime();
    MessageMap made = make(query, now);
    answer = made;
    asked = query;
    staleAt = now + Math.max(LEAST_NANOS, SHARE * (System.nanoTime() - begun));
    bytes = spans.bytes();
    return made;
  }

  private MessageMap make(MapQuery query, long now) {
    long from = now - query.seconds() * 1_000_000_000L;
    MessageRecord record = new MessageRecord();
    long end = log.written();
    long first = end;
    long oldest = now;
    while (first > 0 && log.copy(first - 1, record) && record.end() >= from) {
      first--;
      oldest = Math.min(oldest, record.end());
    }
    boolean wholeLog = first == 0 || !log.copy(first - 1, record);
    spans.clear(first, (int) (end - first));
    for (long number = first; number < end; number++) {
      if (log.copy(number, record)) {
        spans.add(record.spanId(), number);
      }
    }
    MapCounts counts = new MapCounts(query.open(), kinds);
    MessageRecord parent = new MessageRecord();
    for (long number = end - 1; number >= first && log.copy(number, record); number--) {
      boolean told = record.origin() == Origin.TOLD && record.senderKind() == 0;
      boolean known = told && record.parentId() != 0 && spans.find(record.parentId(), log, parent);
      counts.add(record, known ? parent : null);
    }
    long since = wholeLog ? oldest : from;
    return counts.read(query, Clock.epochNanos(since), Math.max(1, (now - since) / 1e9));
  }

  /** What is kept from one answer to the next. */
  long bytes() {
    return bytes;
  }
}
