// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.agent.profile.ProfileRows.Row;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.trouble.AtWork;
import io.deimos.recorder.trouble.PoolThreads;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data of a profile while it is made: samples on their way, samples with their rows, stacks.
 * Waits and allocations are samples, too, that stand for more than one period.
 *
 * <p><b>Threads.</b> The source's thread adds samples, the profile's joins them, the page's read.
 * All meet at this object's lock, which no actor's thread takes, nor the drainer.
 *
 * <p><b>Full.</b> Samples that wait for a record are bounded, and those beyond are counted. When
 * the table of stacks is full, those that no kept sample has go.
 */
final class ProfileSession implements SampleSource.Target {
  private static final long RECORD_BYTES = 8L << 20;
  private static final long STACK_BYTES = 6L << 20;
  private static final long SAMPLE_BYTES = 2L << 20;
  private static final long TIME_BYTES = 1L << 20;
  private static final int MAX_WAITING = 16_384;
  private static final int MAX_PAUSES = 1024;

  private static final long PATIENCE_NANOS = 4_000_000_000L;

  /** So long after a message has ended, the pauses during it have come. */
  private static final long DIVIDED_AFTER_NANOS = 2_000_000_000L;

  /** For how long samples wait until the clocks have been compared. */
  private static final long MARK_NANOS = 10_000_000_000L;

  private static final int MARKS = 6;

  /** The stack of the method that has an actor process a message, and what is outside of it. */
  private static final String ACTOR_CELL = ".actor.ActorCell.invoke";

  private static final String TRUNCATED = "(outer frames are missing)";

  final ProfileRows rows = new ProfileRows();
  final RecordLog records =
      new RecordLog(rows, RECORD_BYTES, Runtime.getRuntime().availableProcessors());
  final SampleLog samples = new SampleLog(SAMPLE_BYTES);
  final SampleLog waits = new SampleLog(SAMPLE_BYTES);
  final SampleLog allocations = new SampleLog(SAMPLE_BYTES);

  /** The time of all messages by row, and of the collector in it, second by second. */
  final SampleLog times = new SampleLog(TIME_BYTES);

  final long startNanos = Clock.now();
  StackTable stacks = new StackTable(STACK_BYTES);

  private final long patienceNanos;
  private final long[] behind = new long[MARKS];
  private int marks;
  private List<Sample> waiting = new ArrayList<>();
  private final Deque<long[]> pauses = new ArrayDeque<>();
  private long dividedUntil;
  private long leftOut;
  private long cutBefore;
  private long compactedNanos;
  private long lost;
  private long failed;
  private long nearest;

  ProfileSession() {
    this(PATIENCE_NANOS);
  }

  /**
   * A session that has nothing yet.
   *
   * @param patienceNanos after so long a sample has no record that is still to come
   */
  ProfileSession(long patienceNanos) {
    this.patienceNanos = patienceNanos;
  }

  @Override
  public synchronized void seen(Seen seen, List<String> stack, boolean truncated) {
    int invoke = 0;
    while (invoke < stack.size() && !stack.get(invoke).endsWith(ACTOR_CELL)) {
      invoke++;
    }
    boolean inMessage = invoke < stack.size();
    if (seen.part().isWait() && !inMessage && !truncated) {
      return; // a thread that has nothing to do
    }
    if (waiting.size() == MAX_WAITING) {
      lost++;
      return;
    }
    List<String> wanted = new ArrayList<>(stack.subList(0, invoke));
    if (truncated && !inMessage) {
      wanted.add(TRUNCATED);
    }
    Collections.reverse(wanted);
    PekkosActor actor = inMessage ? PekkosActor.of(wanted) : null;
    waiting.add(
        new Sample(
            seen, inMessage || truncated, actor == null ? -1 : rows.of(actor), stacks.add(wanted)));
  }

  @Override
  public synchronized void paused(long startNanos, long endNanos) {
    pauses.addFirst(new long[] {startNanos, endNanos});
    if (pauses.size() > MAX_PAUSES) {
      pauses.removeLast();
    }
  }

  @Override
  public synchronized void leftOut() {
    leftOut++;
  }

  @Override
  public synchronized void failed() {
    failed++;
  }

  /** The mark with the least between both readings is the truest; a thread may be held between. */
  @Override
  public synchronized void clocks(long epochNanos, long reading) {
    behind[marks++ % MARKS] = epochNanos - Clock.epochNanos(reading);
  }

  /** Nanoseconds by which the flight recorder's clock is ahead of that of records. */
  private long ahead() {
    long least = marks == 0 ? 0 : Long.MAX_VALUE;
    for (int i = 0; i < Math.min(marks, MARKS); i++) {
      least = Math.min(least, behind[i]);
    }
    return least;
  }

  /** Finds the rows of all that has come, as far as that is possible by now. */
  void join() {
    long now = Clock.now();
    List<Sample> joined;
    long ahead;
    synchronized (this) {
      if (marks == 0 && now - startNanos < MARK_NANOS) {
        return;
      }
      joined = waiting;
      waiting = new ArrayList<>();
      ahead = ahead();
    }
    if (!joined.isEmpty()) {
      join(joined, ahead, now);
    }
    addUp(now - Math.min(patienceNanos, DIVIDED_AFTER_NANOS), ahead);
    records.forget(now - 2 * patienceNanos);
  }

  private void join(List<Sample> joined, long ahead, long now) {
    for (Sample sample : joined) {
      sample.time = Clock.reading(sample.seen.middle() - ahead);
      if (sample.owner != null) {
        sample.owner.time = sample.time;
      }
    }
    SampleJoin join = new SampleJoin(joined, records.gridNanos());
    records.forEach(join::offer);
    Map<Thread, Lane> lanes = PoolThreads.lanes();
    lanes.forEach((thread, lane) -> offerAtWork(join.of(thread.getId()), lane));
    Set<Long> ofActors = new HashSet<>();
    lanes.keySet().forEach(thread -> ofActors.add(thread.getId()));
    settle(joined, ofActors, now);
  }

  /**
   * Each record counts once. One shorter than the grid stands for those that no line of the grid
   * has met.
   */
  private void addUp(long until, long ahead) {
    List<long[]> stops = new ArrayList<>();
    synchronized (this) {
      for (long[] pause : pauses) {
        stops.add(new long[] {Clock.reading(pause[0] - ahead), Clock.reading(pause[1] - ahead)});
      }
    }
    Map<Integer, long[]> sums = new HashMap<>();
    records.forEachNew(
        until,
        (thread, start, end, row, span) -> {
          long[] sum = sums.computeIfAbsent(row, any -> new long[2]);
          sum[0] += Math.max(end - start, records.gridNanos());
          sum[1] += overlap(stops, start, end);
        });
    synchronized (this) {
      sums.forEach(
          (row, sum) -> {
            times.add(until, row, StackTable.ROOT, 0, Part.WALL, sum[0]);
            if (sum[1] > 0) {
              times.add(until, row, StackTable.ROOT, 0, Part.GC, sum[1]);
            }
          });
      dividedUntil = until;
    }
  }

  /**
   * How much of a message was in pauses.
   *
   * @param stops the latest first
   */
  private static long overlap(List<long[]> stops, long start, long end) {
    long sum = 0;
    for (long[] stop : stops) {
      if (stop[1] <= start) {
        break;
      }
      sum += Math.max(0, Math.min(end, stop[1]) - Math.max(start, stop[0]));
    }
    return sum;
  }

  /** The present message of a thread has no record yet. */
  private void offerAtWork(@Nullable List<Sample> samples, Lane lane) {
    AtWork work = samples == null ? null : AtWork.of(lane);
    if (samples == null || work == null || work.startNanos() == 0 || work.spanId() == 0) {
      return;
    }
    int row = rows.of(work.actor().kind(), work.message());
    for (Sample sample : samples) {
      if (sample.time >= work.startNanos()) {
        sample.offer(
            work.startNanos(), Math.max(sample.time, work.startNanos()), row, work.spanId());
      }
    }
  }

  private synchronized void settle(List<Sample> joined, Set<Long> ofActors, long now) {
    for (Sample sample : joined) {
      boolean late = now - sample.time > patienceNanos;
      boolean isOfActors = ofActors.contains(sample.seen.threadId());
      Integer spanned = sample.inMessage ? sample.spanned() : null;
      Sample owner = sample.owner;
      if (owner != null && owner.spanned() == null && !late) {
        await(sample);
      } else if (!sample.inMessage) {
        keep(sample, isOfActors ? SampleLog.DISPATCHER : SampleLog.OTHER, 0);
      } else if (spanned != null) {
        keep(sample, spanned, sample.span());
      } else if (sample.pekkos >= 0) { // no record is to come, whichever is near
        keep(sample, sample.pekkos, 0);
      } else if (late) {
        Integer near = sample.nearest();
        nearest += near == null ? 0 : 1;
        if (near != null || isOfActors || !sample.seen.part().isWait()) {
          keep(sample, near == null ? SampleLog.UNRECORDED : near, sample.span());
        }
      } else {
        await(sample);
      }
    }
    if (stacks.isFull() && now - compactedNanos > PATIENCE_NANOS) {
      compactedNanos = now;
      StackTable fresh = new StackTable(STACK_BYTES);
      samples.move(stacks, fresh);
      waits.move(stacks, fresh);
      allocations.move(stacks, fresh);
      for (Sample sample : waiting) {
        sample.stack = fresh.add(stacks.stack(sample.stack));
      }
      cutBefore += stacks.cut();
      stacks = fresh;
    }
  }

  private void await(Sample sample) {
    if (waiting.size() < MAX_WAITING) {
      waiting.add(sample);
    } else {
      lost++;
    }
  }

  private void keep(Sample sample, int row, long span) {
    Seen seen = sample.seen;
    if (seen.part() == Part.CPU) {
      samples.add(sample.time, row, sample.stack, span, seen.part(), seen.weight());
    } else if (seen.part() == Part.ALLOCATION) {
      int stack = stacks.below(sample.stack, seen.on());
      allocations.add(sample.time, row, stack, span, seen.part(), seen.weight());
    } else {
      int stack = stacks.below(sample.stack, seen.on() + heldBy(sample));
      waits.add(sample.time + seen.weight() / 2, row, stack, span, seen.part(), seen.weight());
    }
  }

  /** The message that the thread was in that held the lock, or else that thread. */
  private String heldBy(Sample sample) {
    Integer row = sample.owner == null ? null : sample.owner.nearest();
    if (row == null) {
      return sample.owner == null ? "" : ", held by the thread " + sample.seen.owner();
    }
    Row holder = rows.byNumber(row);
    return ", held by " + holder.actorClass() + " with " + holder.messageClass();
  }

  /** Up to when messages have been divided. */
  long dividedUntil() {
    return dividedUntil;
  }

  /** Counts of things that a profile cannot know. */
  synchronized ProfileResult.Unknown unknown() {
    return new ProfileResult.Unknown(
        failed, lost, nearest, cutBefore + stacks.cut(), records.lost(), leftOut);
  }

  synchronized long bytes() {
    return records.bytes()
        + samples.bytes()
        + waits.bytes()
        + allocations.bytes()
        + times.bytes()
        + stacks.bytes();
  }
}
