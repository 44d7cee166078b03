// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.logs;

import io.deimos.agent.budget.SearchTerm;
import io.deimos.recorder.actors.Globs;
import io.deimos.recorder.spans.LogLine;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The records that somebody asks for; all that is given has to hold. Immutable.
 *
 * @param actorPath the actor's path; empty for any
 * @param className the actor's class or the logger, whole, without its package, or as a pattern;
 *     empty for any
 * @param trace null for any
 * @param severity the least, as OpenTelemetry numbers them
 * @param words each has to be part of the text, of what was thrown, or of the logger
 */
public record LogQuery(
    String actorPath,
    String className,
    @Nullable TraceOf trace,
    int severity,
    List<SearchTerm> words) {

  /** A trace by its id. */
  public record TraceOf(long hi, long lo) {}

  boolean matches(LogLine line) {
    LogLine.Place place = line.place();
    return line.severity() >= severity
        && (trace == null || (place.traceHi() == trace.hi && place.traceLo() == trace.lo))
        && (actorPath.isEmpty() || actorPath.equals(place.actorPath()))
        && (className.isEmpty() || isOf(place.actorClass()) || isOf(line.logger()))
        && words.stream()
            .allMatch(
                word ->
                    word.isIn(line.text()) || word.isIn(line.thrown()) || word.isIn(line.logger()));
  }

  private boolean isOf(String name) {
    return !name.isEmpty() && Globs.matchesClass(className, name);
  }
}
