// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.deimos.agent.settings.Settings;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.housekeeping.Memory;
import io.deimos.recorder.ring.HeldRecords;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;

/**
 * Holds spans back until it is known whether their trace is worth exporting. The first span with a
 * reason ({@link TailReason}) sets free all that its trace has here, and all that follow pass; a
 * trace without one is let go a while after its first span. A share of the traces is picked by
 * their ids, and passes at once.
 *
 * <p><b>Threads.</b> The drainer's alone, but for {@link #rule} and {@link #closing}.
 *
 * <p><b>Record.</b> Copies in {@link HeldRecords}; a span is known by its number.
 *
 * <p><b>Order.</b> What is set free leaves in the order of that, span by span as the exporter has
 * room.
 *
 * <p><b>Full.</b> The oldest undecided trace is let go early, and counted apart. If all that is
 * held has been set free and the exporter takes nothing, there is no room here either, and records
 * wait in their rings.
 */
public final class TailSampler implements SpanSink {
  /** As how many spans one counts that holds more than numbers: an exception, attributes … */
  static final int RARE_WEIGHT = 8;

  private static final long PAUSE_NANOS = 200_000;

  private final SpanSink next;
  private final TailCounts counts;
  private final IntConsumer unfinished;
  private final HeldRecords records = new HeldRecords();
  private final SpanView view = new SpanView();
  private final Map<TraceId, HeldTrace> undecided = new LinkedHashMap<>();
  private final KeptTraces kept = new KeptTraces();
  private volatile TailRules rules = TailRules.OFF;
  private volatile long closingUntil;
  private int firstFree = HeldRecords.NONE;
  private int lastFree = HeldRecords.NONE;
  private int freeWeight;
  private int undecidedWeight;
  private long nowNanos = Clock.now();

  /**
   * @param next what is kept is handed to, as it has room
   * @param unfinished told how many spans that are kept could not leave before the process ended
   */
  public TailSampler(SpanSink next, TailCounts counts, IntConsumer unfinished) {
    this.next = next;
    this.counts = counts;
    this.unfinished = unfinished;
    Memory.add(Memory.Purpose.HELD, records::bytes);
  }

  /** Sets what is kept; holds for what is undecided, too. Any thread. */
  public void rule(Settings settings) {
    rules = TailRules.of(settings);
  }

  /**
   * The process ends: no trace is waited for any more. Any thread.
   *
   * @param timeoutMillis how long the exporter is waited for, 1 or more
   */
  public void closing(long timeoutMillis) {
    long until = Clock.now() + TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    closingUntil = until == 0 ? 1 : until;
  }

  @Override
  public void accept(SpanView span) {
    TailRules now = rules;
    if (!now.enabled()) {
      pass(span);
      return;
    }
    TraceId id = new TraceId(span.traceHi(), span.traceLo());
    TailReason known = now.isInShare(id) ? TailReason.SHARE : kept.reason(id);
    if (known != null) {
      counts.kept(known, 1);
      setFree(span);
      return;
    }
    TailReason reason = now.reason(span);
    if (reason == null) {
      hold(id, span);
      makeRoom(now.maxSpans());
    } else {
      kept.keep(id, reason);
      HeldTrace trace = undecided.remove(id);
      if (trace != null) {
        setFree(trace, reason);
      }
      counts.kept(reason, 1);
      setFree(span);
    }
  }

  /** Without rules; behind what was held under rules before. */
  private void pass(SpanView span) {
    if (firstFree == HeldRecords.NONE && undecided.isEmpty()) {
      next.accept(span);
    } else {
      setFree(span);
    }
  }

  private void hold(TraceId id, SpanView span) {
    HeldTrace trace = undecided.computeIfAbsent(id, i -> new HeldTrace(i, nowNanos));
    int number = records.hold(span);
    if (trace.last == HeldRecords.NONE) {
      trace.first = number;
    } else {
      records.next(trace.last, number);
    }
    trace.last = number;
    trace.spans++;
    int weight = weight(number);
    trace.weight += weight;
    undecidedWeight += weight;
  }

  private int weight(int number) {
    return records.isPlain(number) ? 1 : RARE_WEIGHT;
  }

  private void makeRoom(int maxSpans) {
    Iterator<HeldTrace> oldest = undecided.values().iterator();
    while (undecidedWeight + freeWeight > maxSpans && oldest.hasNext()) {
      HeldTrace trace = oldest.next();
      oldest.remove();
      letGo(trace, TailLoss.FULL);
    }
  }

  private void letGo(HeldTrace trace, TailLoss why) {
    undecidedWeight -= trace.weight;
    counts.letGo(why, trace.spans);
    for (int number = trace.first; number != HeldRecords.NONE; ) {
      int after = records.next(number);
      records.letGo(number);
      number = after;
    }
  }

  private void setFree(HeldTrace trace, TailReason reason) {
    undecidedWeight -= trace.weight;
    freeWeight += trace.weight;
    counts.kept(reason, trace.spans);
    append(trace.first, trace.last);
  }

  private void setFree(SpanView span) {
    int number = records.hold(span);
    freeWeight += weight(number);
    append(number, number);
  }

  private void append(int first, int last) {
    if (lastFree == HeldRecords.NONE) {
      firstFree = first;
    } else {
      records.next(lastFree, first);
    }
    lastFree = last;
  }

  /** Decides what is due, and hands over what is free as far as there is room. */
  @Override
  public int room() {
    nowNanos = Clock.now();
    TailRules now = rules;
    if (now.enabled()) {
      decide(nowNanos - now.delayNanos());
    } else if (!undecided.isEmpty()) {
      switchedOff();
    }
    int room = handOver();
    counts.held(records.size());
    if (!now.enabled() && firstFree == HeldRecords.NONE) {
      return room;
    }
    return Math.max(0, now.maxSpans() - freeWeight);
  }

  private void decide(long before) {
    Iterator<HeldTrace> oldest = undecided.values().iterator();
    while (oldest.hasNext()) {
      HeldTrace trace = oldest.next();
      if (trace.sinceNanos - before > 0) {
        break;
      }
      oldest.remove();
      letGo(trace, TailLoss.NORMAL);
    }
  }

  /** What is undecided when the sampling ends is exported: from now on everything is. */
  private void switchedOff() {
    for (HeldTrace trace : undecided.values()) {
      setFree(trace, TailReason.SHARE);
    }
    undecided.clear();
    kept.clear();
  }

  /** Returns the room that is left. */
  private int handOver() {
    int room = next.room();
    if (firstFree == HeldRecords.NONE) {
      return room;
    }
    while (room > 0 && firstFree != HeldRecords.NONE) {
      int number = firstFree;
      firstFree = records.next(number);
      records.show(number, view);
      freeWeight -= weight(number);
      try {
        next.accept(view);
      } catch (Throwable t) {
        Faults.caught(t);
      }
      records.letGo(number);
      room--;
    }
    if (firstFree == HeldRecords.NONE) {
      lastFree = HeldRecords.NONE;
    }
    return room;
  }

  @Override
  public void flush() {
    if (closingUntil != 0) {
      finish();
    }
    next.flush();
  }

  /** Waits for the exporter as long as there is time; it counts what it does not take then. */
  private void finish() {
    decide(Clock.now());
    counts.held(records.size());
    while (firstFree != HeldRecords.NONE) {
      handOver();
      next.flush();
      if (firstFree != HeldRecords.NONE) {
        if (Clock.now() - closingUntil > 0) {
          giveUp();
          return;
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
    counts.held(records.size());
  }

  private void giveUp() {
    int left = 0;
    while (firstFree != HeldRecords.NONE) {
      int number = firstFree;
      firstFree = records.next(number);
      records.letGo(number);
      left++;
    }
    lastFree = HeldRecords.NONE;
    freeWeight = 0;
    counts.held(records.size());
    unfinished.accept(left);
  }
}
