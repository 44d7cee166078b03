// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.agent.log.IncidentNews;
import io.deimos.recorder.actors.RateLimit;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAdder;

/**
 * Trouble that the page is told of since no record tells it: of messages without a record, and of
 * those that are still in processing. Safe for any thread.
 *
 * <p><b>Full.</b> {@value #MAX_PER_SECOND} a second of each kind, whatever lines and log records
 * tell; the rest is counted. Findings of a look from outside have no such bound, since its watch
 * tells it seldom.
 */
final class ToldTrouble implements IncidentNews.Page {
  static final int MAX_PER_SECOND = 20;

  /** One kind of those that messages make, and so a flood of messages. */
  private static final class Flow {
    final RateLimit limit = new RateLimit(MAX_PER_SECOND);
    final LongAdder leftOut = new LongAdder();
  }

  private final TroubleBook book;
  private final Map<EventName, Flow> flows = new EnumMap<>(EventName.class);

  ToldTrouble(TroubleBook book) {
    this.book = book;
    flows.put(EventName.DEAD_LETTER, new Flow());
    flows.put(EventName.ASK_TIMEOUT, new Flow());
    flows.put(EventName.FAILED, new Flow());
  }

  @Override
  public boolean takes(EventName event) {
    Flow flow = flows.get(event);
    if (flow == null || flow.limit.tryTake()) {
      return flow != null || event.isSeenFromOutside();
    }
    flow.leftOut.increment();
    return false;
  }

  @Override
  public void missed(EventName event) {
    Flow flow = flows.get(event);
    if (flow != null) {
      flow.leftOut.increment();
    }
  }

  @Override
  public void take(Incident incident, boolean again) {
    book.add(incident, again);
  }

  /** How many of a kind were only counted. */
  long leftOut(EventName event) {
    Flow flow = flows.get(event);
    return flow == null ? 0 : flow.leftOut.sum();
  }
}
