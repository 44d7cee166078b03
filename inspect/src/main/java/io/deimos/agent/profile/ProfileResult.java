// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.agent.profile.ProfileQuery.Kind;
import io.deimos.agent.profile.ProfileRows.Row;
import io.deimos.recorder.clock.Clock;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * A profile as it is at one moment.
 *
 * @param event what the samples are, as the flight recorder calls them; empty while it starts
 * @param seconds for how long it has samples, of the time that was asked for
 * @param dividedSeconds for how long it has all parts of the time of messages
 * @param samples how many there are in that time
 * @param waitNanos how long a wait has to be now to be seen; 0 if none is
 * @param lines what they were in, the most of what was asked for first
 * @param tree where that was
 */
public record ProfileResult(
    String event,
    double seconds,
    double dividedSeconds,
    long samples,
    long waitNanos,
    List<Line> lines,
    FlameTree tree,
    Unknown unknown) {
  /**
   * One row, and how much was in it.
   *
   * @param actorClass empty for what is in no message that is known
   * @param messageClass likewise
   * @param part which part of Pekko it is; empty if it is none of Pekko's own actors
   * @param samples how many samples found a thread that ran it
   */
  public record Line(
      Kind kind,
      String actorClass,
      String messageClass,
      String part,
      long samples,
      ProfileTimes times) {}

  /**
   * Counts of unknown things, since the profile began.
   *
   * @param withoutStack samples whose stack could not be read
   * @param lost samples for which there was no room
   * @param nearest samples that no kept record spans, counted to the nearest one
   * @param stacksCut stacks that end early
   * @param recordsLost records that had to go before all samples had come
   * @param waitsLeftOut waits beyond the limit of a second
   */
  public record Unknown(
      long withoutStack,
      long lost,
      long nearest,
      long stacksCut,
      long recordsLost,
      long waitsLeftOut) {}

  private static final Row NO_ROW = new Row("", "", "");

  static final ProfileResult STARTING =
      new ProfileResult("", 0, 0, 0, 0, List.of(), new FlameTree(), new Unknown(0, 0, 0, 0, 0, 0));

  /** The parts of a session. */
  static ProfileResult of(ProfileSession session, SampleSource by, ProfileQuery query) {
    long now = Clock.now();
    ProfileSums sums;
    List<Line> lines = new ArrayList<>();
    FlameTree tree = new FlameTree();
    synchronized (session) {
      sums = new ProfileSums(session, query, now - query.seconds() * 1_000_000_000L);
      sums.rows()
          .forEach(
              (row, sum) -> {
                Kind kind = Kind.of(row, session.rows);
                Row of = row < 0 ? NO_ROW : session.rows.byNumber(row);
                ProfileTimes times = sum.times(kind == Kind.MESSAGE, session.stacks);
                lines.add(
                    new Line(
                        kind, of.actorClass(), of.messageClass(), of.part(), sum.samples, times));
              });
      sums.stacks().forEach((key, weight) -> add(tree, session, query, key, weight));
    }
    lines.sort(
        Comparator.comparingLong(
                (Line line) ->
                    query.time() == ProfileQuery.Time.CPU ? 0 : -line.times().of(query.time()))
            .thenComparing(line -> -line.samples())
            .thenComparing(Line::actorClass)
            .thenComparing(Line::messageClass)
            .thenComparing(Line::part));
    return new ProfileResult(
        by.event(),
        Math.max(0, now - sums.since()) / 1e9,
        Math.max(0, session.dividedUntil() - sums.dividedSince()) / 1e9,
        sums.samples(),
        by.waitNanos(),
        List.copyOf(lines),
        tree,
        session.unknown());
  }

  private static void add(
      FlameTree tree, ProfileSession session, ProfileQuery query, long key, long weight) {
    int row = ProfileSums.row(key);
    Kind kind = Kind.of(row, session.rows);
    Row of = row < 0 ? NO_ROW : session.rows.byNumber(row);
    if (query.takes(kind, of)) {
      List<String> stack = new ArrayList<>();
      if (kind == Kind.MESSAGE) {
        stack.add(of.actorClass());
        stack.add(of.messageClass());
      } else if (kind == Kind.PEKKO) {
        stack.add(of.actorClass());
      }
      stack.addAll(session.stacks.stack(ProfileSums.stack(key)));
      tree.add(stack, weight);
    }
  }

  /** The same with at most so many nodes in its tree. */
  public ProfileResult cut(int mostNodes) {
    return new ProfileResult(
        event, seconds, dividedSeconds, samples, waitNanos, lines, tree.cut(mostNodes), unknown);
  }
}
