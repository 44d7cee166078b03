// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.spans;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Something that went wrong and that somebody will want to look into: a dead letter, an ask without
 * an answer, an actor that is stuck. Immutable.
 *
 * @param event what it is: {@link EventName#DEAD_LETTER}, for instance
 * @param atNanos {@link Clock#now} when it was seen
 * @param facts what is known of it, in the order in which it is told
 * @param stack where a thread was, or empty
 * @param traceHi first half of the trace it belongs to; 0 with {@code traceLo} for none
 * @param traceLo second half
 * @param spanId the span it happened in; 0 for none
 */
public record Incident(
    EventName event,
    long atNanos,
    Map<Attribute, String> facts,
    String stack,
    long traceHi,
    long traceLo,
    long spanId) {
  /** More of a kind are only counted, by one that says how many there were. */
  public static final int MOST = 16;

  /** Those of a span, with one more, or with one more counted. */
  public static List<Incident> with(List<Incident> before, Incident one) {
    List<Incident> all = new ArrayList<>(before);
    boolean log = one.isLog();
    if (all.stream().filter(i -> i.isLog() == log && !i.isMore()).count() < MOST) {
      all.add(one);
      return List.copyOf(all);
    }
    EventName more = log ? EventName.MORE_LOGS : EventName.MORE_INCIDENTS;
    int count = 1;
    for (Incident known : before) {
      if (known.event == more) {
        all.remove(known);
        count += Integer.parseInt(known.facts.getOrDefault(Attribute.MORE, "0"));
      }
    }
    Map<Attribute, String> facts = Map.of(Attribute.MORE, Integer.toString(count));
    all.add(new Incident(more, one.atNanos, facts, "", one.traceHi, one.traceLo, one.spanId));
    return List.copyOf(all);
  }

  private boolean isMore() {
    return event == EventName.MORE_INCIDENTS || event == EventName.MORE_LOGS;
  }

  private boolean isLog() {
    return event == EventName.LOG;
  }
}
