// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.profile;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.trouble.AtWork;
import io.deimos.recorder.trouble.PoolThreads;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The data of a profile while it is made: samples on their way, samples with their rows, stacks.
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
  private static final int MAX_WAITING = 16_384;

  private static final long PATIENCE_NANOS = 4_000_000_000L;

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
  final long startNanos = Clock.now();
  StackTable stacks = new StackTable(STACK_BYTES);

  private final long patienceNanos;
  private final long[] behind = new long[MARKS];
  private int marks;
  private List<Sample> waiting = new ArrayList<>();
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
  public synchronized void sample(
      long threadId, long epochNanos, List<String> stack, boolean truncated) {
    if (waiting.size() == MAX_WAITING) {
      lost++;
      return;
    }
    int invoke = 0;
    while (invoke < stack.size() && !stack.get(invoke).endsWith(ACTOR_CELL)) {
      invoke++;
    }
    boolean inMessage = invoke < stack.size();
    List<String> wanted = new ArrayList<>(stack.subList(0, invoke));
    if (truncated && !inMessage) {
      wanted.add(TRUNCATED);
    }
    Collections.reverse(wanted);
    PekkosActor actor = inMessage ? PekkosActor.of(wanted) : null;
    waiting.add(
        new Sample(
            threadId,
            epochNanos,
            inMessage || truncated,
            actor == null ? -1 : rows.of(actor),
            stacks.add(wanted)));
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

  /** Finds the rows of samples that have come, as far as that is possible by now. */
  void join() {
    long now = Clock.now();
    List<Sample> joined;
    synchronized (this) {
      if (waiting.isEmpty() || (marks == 0 && now - startNanos < MARK_NANOS)) {
        return;
      }
      joined = waiting;
      waiting = new ArrayList<>();
      long ahead = ahead();
      joined.forEach(sample -> sample.time = Clock.reading(sample.epochNanos - ahead));
    }
    SampleJoin join = new SampleJoin(joined, records.gridNanos());
    records.forEach(join::offer);
    Map<Thread, Lane> lanes = PoolThreads.lanes();
    lanes.forEach((thread, lane) -> offerAtWork(join.of(thread.getId()), lane));
    Set<Long> ofActors = new HashSet<>();
    lanes.keySet().forEach(thread -> ofActors.add(thread.getId()));
    settle(joined, ofActors, now);
    records.forget(now - 2 * patienceNanos);
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
      if (!sample.inMessage) {
        samples.add(
            sample.time,
            ofActors.contains(sample.threadId) ? SampleLog.DISPATCHER : SampleLog.OTHER,
            sample.stack,
            0);
      } else if (sample.spanned() != null) {
        samples.add(sample.time, sample.spanned(), sample.stack, sample.span());
      } else if (sample.pekkos >= 0) { // no record is to come, whichever is near
        samples.add(sample.time, sample.pekkos, sample.stack, 0);
      } else if (now - sample.time > patienceNanos) {
        Integer near = sample.nearest();
        nearest += near == null ? 0 : 1;
        samples.add(
            sample.time, near == null ? SampleLog.UNRECORDED : near, sample.stack, sample.span());
      } else if (waiting.size() < MAX_WAITING) {
        waiting.add(sample);
      } else {
        lost++;
      }
    }
    if (stacks.isFull() && now - compactedNanos > PATIENCE_NANOS) {
      compactedNanos = now;
      StackTable fresh = new StackTable(STACK_BYTES);
      samples.move(stacks, fresh);
      for (Sample sample : waiting) {
        sample.stack = fresh.add(stacks.stack(sample.stack));
      }
      cutBefore += stacks.cut();
      stacks = fresh;
    }
  }

  /** Counts of things that a profile cannot know. */
  synchronized ProfileResult.Unknown unknown() {
    return new ProfileResult.Unknown(
        failed, lost, nearest, cutBefore + stacks.cut(), records.lost());
  }

  synchronized long bytes() {
    return records.bytes() + samples.bytes() + stacks.bytes();
  }
}
