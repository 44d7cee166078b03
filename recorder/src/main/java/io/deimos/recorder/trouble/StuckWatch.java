// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.context.Frame;
import io.deimos.recorder.context.OpenRecord;
import io.deimos.recorder.context.ThreadState;
import io.deimos.recorder.counts.MessageCell;
import io.deimos.recorder.names.Attribute;
import io.deimos.recorder.names.EventName;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.ring.LateIncidents;
import io.deimos.recorder.spans.Incident;
import io.deimos.recorder.trouble.Incidents.Known;
import java.lang.ref.WeakReference;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.StringJoiner;
import java.util.concurrent.atomic.LongAdder;

/**
 * Finds messages that are in processing for too long, by looking now and then at what each thread
 * says it works on. The threads do nothing for it.
 *
 * <p><b>Threads.</b> Housekeeping's, but for the totals and {@link #busy}. Its readings of other
 * threads are plain and may be old: a message counts as stuck only if two looks in a row find the
 * same one, and a third after its stack was taken.
 */
public final class StuckWatch {
  /** How many frames of a stack are kept. */
  private static final int FRAMES = 40;

  private static final LongAdder FOUND = new LongAdder();

  /** A message is looked at so many times before it is stuck. */
  private static final int LOOKS = 4;

  private static final long LEAST_PAUSE_NANOS = 20_000_000L;

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

  /** After what time to look again: in [20 ms, 1 hour]. */
  public static long pauseNanos() {
    long threshold = thresholdNanos;
    return threshold == 0 ? 3_600_000_000_000L : Math.max(LEAST_PAUSE_NANOS, threshold / LOOKS);
  }

  /** How often messages were found stuck so far, one that lasts each time anew. */
  public static long found() {
    return FOUND.sum();
  }

  /** How many are stuck now. */
  public static int now() {
    return stuck;
  }

  public static void look(long nowNanos) {
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
    LateIncidents.forget(nowNanos, StuckWatch::isOpen);
  }

  private static boolean isOpen(long spanId) {
    for (Lane lane : Lanes.all()) {
      ThreadState s = ThreadState.using(lane);
      if (s != null && s.isAt(spanId)) {
        return true;
      }
    }
    return false;
  }

  private static boolean look(Lane lane, long nowNanos, long threshold) {
    ThreadState s = ThreadState.using(lane);
    Frame f = s == null ? null : s.at.timed();
    long start = f == null ? 0 : f.record.start;
    if (f == null || nowNanos - start < threshold) {
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
      Known known = lane.toldAfter == 0 ? Known.ONLY_SO : Known.BEFORE;
      lane.toldAfter = 2 * since; // again only when it has lasted twice as long
      tell(lane, f, start, nowNanos, known);
    }
    return true;
  }

  private static void tell(Lane lane, Frame f, long start, long nowNanos, Known known) {
    WeakReference<Thread> owner = lane.owner;
    Thread thread = owner == null ? null : owner.get();
    OpenRecord record = f.record;
    ActorTelemetry actor = record.actor;
    MessageCell cell = f.thread().cell(f);
    if (thread == null || actor == null || cell == null || actor.kind().isHidden()) {
      return;
    }
    boolean recording = record.work == OpenRecord.RECORD;
    long spanId = f.spanId;
    long hi = record.hi;
    long lo = record.lo;
    String stack = text(thread.getStackTrace());
    if (record.start != start || !f.isBusy() || f.spanId != spanId) {
      return; // it ended meanwhile: the stack is another's
    }
    Map<Attribute, String> facts = new LinkedHashMap<>();
    facts.put(Attribute.MESSAGE_CLASS, cell.message.name());
    facts.put(Attribute.ACTOR_PATH, actor.path());
    facts.put(Attribute.ACTOR_CLASS, actor.className());
    facts.put(Attribute.PROCESSING_TIME, seconds(nowNanos - start));
    facts.put(Attribute.THREAD_NAME, thread.getName());
    Incident incident =
        new Incident(
            EventName.STUCK,
            nowNanos,
            facts,
            stack,
            recording ? hi : 0,
            recording ? lo : 0,
            recording ? spanId : 0);
    FOUND.increment();
    if (recording) {
      LateIncidents.keep(spanId, incident);
    }
    Incidents.tell(EventName.STUCK, known, () -> incident);
  }

  /** The present work of a live actor, as far as can be seen from outside. */
  public static String busy(ActorTelemetry actor) {
    long now = Clock.now();
    for (Lane lane : Lanes.all()) {
      ThreadState s = ThreadState.using(lane);
      Frame f = s == null ? null : s.at.timed();
      MessageCell cell = s == null || f == null ? null : s.cell(f);
      if (f != null && cell != null && f.record.actor == actor) {
        return "processes " + cell.message.name() + " for " + seconds(now - f.record.start) + " s";
      }
    }
    return "alive";
  }

  static String seconds(long nanos) {
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
