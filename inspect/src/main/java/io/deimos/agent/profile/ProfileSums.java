// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.agent.profile.ProfileQuery.Time;
import io.deimos.agent.profile.ProfileTimes.Cause;
import io.deimos.agent.profile.ProfileTimes.Waits;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * All that a session has of a time, added up: by row, and by row and stack. Samples count as they
 * come; the parts of the time of messages only where all of them are known. Guarded by the session.
 */
final class ProfileSums {
  private static final int MAX_CAUSES = 5;

  private final Map<Integer, Sum> rows = new HashMap<>();
  private final Map<Long, Long> stacks = new HashMap<>();
  private final long since;
  private final long dividedSince;
  private final long dividedUntil;
  private long samples;

  ProfileSums(ProfileSession of, ProfileQuery query, long asked) {
    since = Math.max(Math.max(asked, of.startNanos), of.samples.oldest());
    dividedSince = Math.max(Math.max(since, of.waits.oldest()), of.times.oldest());
    dividedUntil = of.dividedUntil();
    of.samples.forEach(asked, entry -> add(entry, query));
    of.waits.forEach(asked, entry -> add(entry, query));
    of.allocations.forEach(asked, entry -> add(entry, query));
    of.times.forEach(asked, entry -> add(entry, query));
  }

  private void add(SampleLog.Entry entry, ProfileQuery query) {
    Part part = entry.part();
    Sum sum = rows.computeIfAbsent(entry.row(), any -> new Sum());
    if (part == Part.CPU) {
      samples++;
      sum.samples++;
    }
    boolean divided = entry.time() >= dividedSince && entry.time() <= dividedUntil;
    if (divided || part == Part.ALLOCATION) {
      sum.parts[part.number] += entry.weight();
    }
    if (divided && part.isWait()) {
      sum.waits.merge(entry.stack(), new Wait(part, entry.weight()), Wait::and);
    }
    if (query.time().has(part) && query.takes(entry.spanId())) {
      long weight = part == Part.CPU ? 1 : entry.weight();
      stacks.merge(((long) entry.row() << 32) | entry.stack(), weight, Long::sum);
    }
  }

  Map<Integer, Sum> rows() {
    return rows;
  }

  /** By row and stack: samples, nanoseconds or bytes. */
  Map<Long, Long> stacks() {
    return stacks;
  }

  static int row(long key) {
    return (int) (key >> 32);
  }

  static int stack(long key) {
    return (int) key;
  }

  long since() {
    return since;
  }

  long dividedSince() {
    return dividedSince;
  }

  long samples() {
    return samples;
  }

  private record Wait(Part part, long nanos) {
    Wait and(Wait other) {
      return new Wait(part, nanos + other.nanos);
    }
  }

  /** One row's. */
  static final class Sum {
    long samples;
    private final long[] parts = new long[Part.COUNT];
    private final Map<Integer, Wait> waits = new HashMap<>();

    private long of(Part part) {
      return parts[part.number];
    }

    /**
     * Divides the row's time.
     *
     * @param isWhole whether all its messages have records; samples may be some more than those
     */
    ProfileTimes times(boolean isWhole, StackTable table) {
      Waits waited = new Waits(of(Part.LOCK), of(Part.IO), of(Part.SLEEP), of(Part.PARK));
      long seen = of(Part.CPU) + waited.sum();
      long wall = isWhole ? Math.max(of(Part.WALL), seen) : 0;
      long gc = Math.min(of(Part.GC), Math.max(0, wall - seen));
      return new ProfileTimes(wall, of(Part.CPU), waited, gc, of(Part.ALLOCATION), causes(table));
    }

    private List<Cause> causes(StackTable table) {
      Map<String, Wait> byName = new HashMap<>();
      waits.forEach((stack, wait) -> byName.merge(table.last(stack), wait, Wait::and));
      return byName.entrySet().stream()
          .map(one -> new Cause(time(one.getValue().part()), one.getKey(), one.getValue().nanos()))
          .sorted(
              Comparator.comparingLong((Cause cause) -> -cause.nanos()).thenComparing(Cause::on))
          .limit(MAX_CAUSES)
          .toList();
    }

    private static Time time(Part part) {
      return Time.valueOf(part.name());
    }
  }
}
