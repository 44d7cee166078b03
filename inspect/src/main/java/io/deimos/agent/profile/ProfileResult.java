// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.agent.profile.ProfileQuery.Kind;
import io.deimos.agent.profile.ProfileRows.Row;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A profile as it is at one moment.
 *
 * @param event what the samples are, as the flight recorder calls them; empty while it starts
 * @param seconds for how long it has samples, of the time that was asked for
 * @param samples how many there are in that time
 * @param lines what they were in, the most first
 * @param tree where those were that were asked for
 */
public record ProfileResult(
    String event, double seconds, long samples, List<Line> lines, FlameTree tree, Unknown unknown) {
  /**
   * How many samples were in one row.
   *
   * @param actorClass empty for what is in no message that is known
   * @param messageClass likewise
   * @param part which part of Pekko it is; empty if it is none of Pekko's own actors
   */
  public record Line(
      Kind kind, String actorClass, String messageClass, String part, long samples) {}

  /**
   * Counts of unknown things, since the profile began.
   *
   * @param withoutStack samples whose stack could not be read
   * @param lost samples for which there was no room
   * @param nearest samples that no kept record spans, counted to the nearest one
   * @param stacksCut stacks that end early
   * @param recordsLost records that had to go before all samples had come
   */
  public record Unknown(
      long withoutStack, long lost, long nearest, long stacksCut, long recordsLost) {}

  static final ProfileResult STARTING =
      new ProfileResult("", 0, 0, List.of(), new FlameTree(), new Unknown(0, 0, 0, 0, 0));

  /** The parts of a session. */
  static ProfileResult of(ProfileSession session, String event, ProfileQuery query) {
    long now = Clock.now();
    Map<Long, long[]> counts = new HashMap<>();
    FlameTree tree = new FlameTree();
    long since = now - query.seconds() * 1_000_000_000L;
    Map<Integer, Line> lines = new HashMap<>();
    long[] samples = new long[1];
    long from;
    synchronized (session) {
      from = Math.max(Math.max(since, session.startNanos), session.samples.oldest());
      session.samples.forEach(
          since,
          (row, stack, span) -> {
            samples[0]++;
            long[] count = counts.computeIfAbsent((long) row << 32 | stack, any -> new long[2]);
            count[0]++;
            count[1] += query.takes(span) ? 1 : 0;
          });
      counts.forEach(
          (key, count) -> {
            int row = (int) (key >> 32);
            Kind kind = Kind.of(row, session.rows);
            Row of = row < 0 ? new Row("", "", "") : session.rows.byNumber(row);
            lines.merge(
                row,
                new Line(kind, of.actorClass(), of.messageClass(), of.part(), count[0]),
                (a, b) ->
                    new Line(
                        kind,
                        a.actorClass(),
                        a.messageClass(),
                        a.part(),
                        a.samples() + b.samples()));
            if (count[1] > 0 && query.takes(kind, of)) {
              List<String> stack = new ArrayList<>();
              if (kind == Kind.MESSAGE) {
                stack.add(of.actorClass());
                stack.add(of.messageClass());
              } else if (kind == Kind.PEKKO) {
                stack.add(of.actorClass());
              }
              stack.addAll(session.stacks.stack(key.intValue()));
              tree.add(stack, count[1]);
            }
          });
    }
    List<Line> sorted =
        lines.values().stream()
            .sorted(
                Comparator.comparingLong(Line::samples)
                    .reversed()
                    .thenComparing(Line::actorClass)
                    .thenComparing(Line::messageClass)
                    .thenComparing(Line::part))
            .toList();
    return new ProfileResult(
        event, Math.max(0, now - from) / 1e9, samples[0], sorted, tree, session.unknown());
  }

  /** The same with at most so many nodes in its tree. */
  public ProfileResult cut(int mostNodes) {
    return new ProfileResult(event, seconds, samples, lines, tree.cut(mostNodes), unknown);
  }
}
