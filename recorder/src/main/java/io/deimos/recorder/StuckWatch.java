// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages that are in processing for too long, by looking now and then at what each thread
 * says it works on. The threads do nothing for it.
 *
 * <p><b>Threads.</b> The drainer's, but for the totals and {@link #busy}. What it reads of other
 * threads is plain and may be old: a message counts as stuck only if two looks in a row find the
 * same one, and a third after its stack was taken.
 */
public final class StuckWatch {
  /** How many frames of a stack are kept. */
  private static final int FRAMES = 40;

  /** How many incidents wait for their span's record; more are told but are no events. */
  private static final int MOST_PENDING = 1024;

  private static final Map<Long, List<Incident>> PENDING = new HashMap<>();
  private static final LongAdder FOUND = new LongAdder();
  private static volatile long thresholdNanos;
  private static volatile int stuck;

  private StuckWatch() {}

  /**
   * Sets from when on a message is stuck.
   *
   * @param nanos 0 for never
   */
  public static void threshold(long nanos) {
    thresholdNanos = nanos;
  }

  /** How many messages were found stuck so far. */
  public static long found() {
    return FOUND.sum();
  }

  /** How many are stuck now. */
  public static int now() {
    return stuck;
  }

  static void look(long nowNanos) {
    long threshold = thresholdNanos;
    if (threshold == 0) {
      stuck = 0;
      return;
    }
    int count = 0;
    for (Lane lane : Lanes.all()) {
      if (look(lane, nowNanos, threshold)) {
        count++;
      }
    }
    stuck = count;
  }

  private static boolean look(Lane lane, long nowNanos, long threshold) {
    ThreadState s = lane.user;
    long start = s == null ? 0 : s.start;
    if (s == null || s.depth == 0 || s.work < ThreadState.TIME || nowNanos - start < threshold) {
      lane.watched = 0;
      return false;
    }
    if (lane.watched != start) {
      lane.watched = start;
      lane.toldAfter = 0;
      return false;
    }
    long since = nowNanos - start;
    if (since > lane.toldAfter) {
      lane.toldAfter = 2 * since; // again only when it has lasted twice as long
      tell(lane, s, start, nowNanos);
    }
    return true;
  }

  private static void tell(Lane lane, ThreadState s, long start, long nowNanos) {
    Thread thread = lane.owner == null ? null : lane.owner.get();
    ActorTelemetry actor = s.actor;
    MessageCell cell = s.cell();
    if (thread == null || actor == null || cell == null || actor.kind().isHidden()) {
      return;
    }
    boolean recording = s.work == ThreadState.RECORD;
    long spanId = s.spanId;
    long hi = s.hi;
    long lo = s.lo;
    String stack = text(thread.getStackTrace());
    if (s.start != start || s.depth == 0 || s.spanId != spanId) {
      return; // it ended meanwhile: the stack is another's
    }
    Map<String, String> facts = new LinkedHashMap<>();
    facts.put("pekko.message.class", cell.message.name());
    facts.put("pekko.actor.path", actor.path());
    facts.put("pekko.actor.class", actor.kind().className());
    facts.put("pekko.processing.seconds", seconds(nowNanos - start));
    facts.put("thread.name", thread.getName());
    Incident incident =
        new Incident(
            "stuck",
            nowNanos,
            facts,
            stack,
            recording ? hi : 0,
            recording ? lo : 0,
            recording ? spanId : 0);
    FOUND.increment();
    if (recording && (PENDING.size() < MOST_PENDING || PENDING.containsKey(spanId))) {
      PENDING.merge(spanId, List.of(incident), (before, one) -> Incident.with(before, one.get(0)));
    }
    Incidents.tell(incident);
  }

  /** What a live actor is at, as far as can be seen from outside. */
  static String busy(ActorTelemetry actor) {
    long now = Clock.now();
    for (Lane lane : Lanes.all()) {
      ThreadState s = lane.user;
      MessageCell cell = s == null ? null : s.cell();
      if (s != null
          && cell != null
          && s.depth != 0
          && s.work >= ThreadState.TIME
          && s.actor == actor) {
        return "processes " + cell.message.name() + " for " + seconds(now - s.start) + " s";
      }
    }
    return "alive";
  }

  /** What stands beside a record, with the incidents that were seen while its span was open. */
  static @Nullable Rare beside(long spanId, @Nullable Rare rare) {
    if (PENDING.isEmpty()) {
      return rare;
    }
    List<Incident> seen = PENDING.remove(spanId);
    Rare with = rare;
    for (Incident incident : seen == null ? List.<Incident>of() : seen) {
      with = Rare.with(with, incident);
    }
    return with;
  }

  private static String seconds(long nanos) {
    return Double.toString(Math.round(nanos / 1e6) / 1e3);
  }

  private static String text(StackTraceElement[] stack) {
    StringJoiner lines = new StringJoiner("\n");
    for (int i = 0; i < Math.min(FRAMES, stack.length); i++) {
      lines.add("at " + stack[i]);
    }
    return lines.toString();
  }
}
