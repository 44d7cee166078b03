// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.List;
import java.util.Map;

/**
 * Something that went wrong and that somebody will want to look into: a dead letter, a question
 * without an answer, an actor that is stuck. Immutable.
 *
 * @param name what it is: {@code dead_letter}, for instance
 * @param atNanos {@link Clock#now} when it was seen
 * @param facts what is known of it, in the order in which it is told
 * @param stack where a thread was, or empty
 * @param traceHi first half of the trace it belongs to; 0 with {@code traceLo} for none
 * @param traceLo second half
 * @param spanId the span it happened in; 0 for none
 */
public record Incident(
    String name,
    long atNanos,
    Map<String, String> facts,
    String stack,
    long traceHi,
    long traceLo,
    long spanId) {
  /** The name of what stands for those that were not kept. */
  static final String MORE = "more_incidents";

  private static final String COUNT = "count";

  /** What stands for one more than are kept, and for those that it stood for before. */
  static Incident more(List<Incident> kept, Incident one) {
    Incident last = kept.get(kept.size() - 1);
    int before = last.name.equals(MORE) ? Integer.parseInt(last.facts.getOrDefault(COUNT, "0")) : 0;
    Map<String, String> facts = Map.of(COUNT, Integer.toString(before + 1));
    return new Incident(MORE, one.atNanos, facts, "", one.traceHi, one.traceLo, one.spanId);
  }
}
