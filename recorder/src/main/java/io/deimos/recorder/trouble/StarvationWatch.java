// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents.Known;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Finds dispatchers whose threads are all held for too long: an empty task that the reader of
 * gauges has handed in, where all threads are busy, still waits. The holders of the threads then
 * are an incident, with stacks. The threads do nothing for it.
 *
 * <p><b>Threads.</b> The reader of gauges hands tasks in, a dispatcher's thread takes one out, and
 * housekeeping looks.
 */
public final class StarvationWatch {
  /** How often a task is looked at while it waits for the threshold's time. */
  private static final int LOOKS = 4;

  private static final long LEAST_PAUSE_NANOS = 20_000_000L;
  private static final long NEVER_NANOS = 3_600_000_000_000L;

  /** One that its executor has dropped with all its tasks is dropped here, too. */
  private static final Set<WaitingTask> WAITING =
      Collections.synchronizedSet(Collections.newSetFromMap(new WeakHashMap<>()));

  private static volatile long thresholdNanos;

  private StarvationWatch() {}

  /**
   * Sets from what wait on it is a starvation.
   *
   * @param nanos 0 for never
   */
  public static void threshold(long nanos) {
    thresholdNanos = nanos;
  }

  /** After what time to look again: in [20 ms, 1 hour]. */
  public static long pauseNanos() {
    long threshold = thresholdNanos;
    return threshold == 0 || WAITING.isEmpty()
        ? NEVER_NANOS
        : Math.max(LEAST_PAUSE_NANOS, threshold / LOOKS);
  }

  /** A task has been handed in. */
  static void handedIn(WaitingTask task) {
    WAITING.add(task);
    HousekeepingCall.wake();
  }

  /** A thread has taken a task, or its executor has refused it. */
  static void taken(WaitingTask task) {
    WAITING.remove(task);
  }

  /** For how long a task has been waiting for a thread of a dispatcher; 0 if none is. */
  public static long waitNanos(String system, String dispatcher, long nowNanos) {
    long longest = 0;
    for (WaitingTask task : waiting()) {
      if (task.system.equals(system) && task.dispatcher.equals(dispatcher)) {
        longest = Math.max(longest, nowNanos - task.sinceNanos());
      }
    }
    return longest;
  }

  private static List<WaitingTask> waiting() {
    synchronized (WAITING) {
      return new ArrayList<>(WAITING);
    }
  }

  /** Looks at all tasks that wait. */
  public static void look(long nowNanos) {
    long threshold = thresholdNanos;
    if (threshold == 0) {
      return;
    }
    for (WaitingTask task : waiting()) {
      long waited = nowNanos - task.sinceNanos();
      if (waited >= threshold && waited > task.toldAfterNanos) {
        Known known = task.toldAfterNanos == 0 ? Known.ONLY_SO : Known.BEFORE;
        if (known == Known.ONLY_SO) {
          Metric.STARVATIONS.tally().add(1, task.system, task.dispatcher);
        }
        task.toldAfterNanos = 2 * waited; // again only when it has lasted twice as long
        tell(task, waited, known);
      }
    }
  }

  private static void tell(WaitingTask task, long waitedNanos, Known known) {
    List<Holder> holders = Holder.of(task.system, task.dispatcher);
    if (!task.waits()) {
      return; // a thread is free meanwhile: these do not hold it up
    }
    long now = Clock.now();
    Map<Attribute, String> facts = new LinkedHashMap<>();
    facts.put(Attribute.SYSTEM, task.system);
    facts.put(Attribute.DISPATCHER, task.dispatcher);
    facts.put(Attribute.TASK_WAIT, StuckWatch.seconds(waitedNanos));
    facts.put(Attribute.THREADS_HELD, Integer.toString(holders.size()));
    Holder longest = Holder.longest(holders, now);
    AtWork work = longest == null ? null : longest.work();
    if (longest != null && work != null) {
      facts.put(Attribute.MESSAGE_CLASS, work.message());
      facts.put(Attribute.ACTOR_PATH, work.actor().path());
      facts.put(Attribute.ACTOR_CLASS, work.actor().className());
      if (work.startNanos() != 0) {
        facts.put(Attribute.PROCESSING_TIME, StuckWatch.seconds(work.lastedNanos(now)));
      }
      facts.put(Attribute.THREAD_NAME, longest.thread());
    }
    Incident incident = incident(facts, Holder.text(holders, now), now, work);
    Incidents.tell(EventName.STARVATION, known, () -> incident);
  }

  private static Incident incident(
      Map<Attribute, String> facts, String stacks, long now, @Nullable AtWork work) {
    return new Incident(
        EventName.STARVATION,
        now,
        facts,
        stacks,
        work == null ? 0 : work.traceHi(),
        work == null ? 0 : work.traceLo(),
        work == null ? 0 : work.spanId());
  }
}
