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
import io.deimos.recorder.wire.KeepNotices;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Holds spans back, ours and those of other instrumentations, until it is known whether their trace
 * is worth exporting. The first span with a reason ({@link TailReason}) sets free all that its
 * trace has here, and all that follow pass; a trace without one is let go a while after its first
 * span. A share of the traces is picked by their ids, and passes at once. Other nodes are told of
 * what is kept for a reason, and what they keep is kept here.
 *
 * <p><b>Threads.</b> The drainer's alone, but for {@link #rule}, {@link #closing}, {@link #ended},
 * {@link #drained} and {@link #abandoned}.
 *
 * <p><b>Record.</b> Copies in {@link HeldRecords}; a span of ours is known by its number.
 *
 * <p><b>Order.</b> Released traces leave in that order, span by span as the exporter has room.
 *
 * <p><b>Full.</b> The oldest undecided trace is let go early, and counted apart. If all that is
 * held has been set free and the exporter takes nothing, there is no room here either, and records
 * wait in their rings.
 */
public final class TailSampler implements SpanSink {
  /** As how many spans one counts that holds more than numbers: an exception, attributes … */
  static final int RARE_WEIGHT = 8;

  /** The bytes of a held span that counts as one. */
  static final int BYTES_PER_SPAN = HeldRecords.BYTES;

  private static final long PAUSE_NANOS = 200_000;

  private final SpanSink next;
  private final TailCounts counts;
  private final IntConsumer unfinished;
  private final HeldRecords records = new HeldRecords();
  private final SpanView view = new SpanView();
  private final Map<TraceId, HeldTrace> undecided = new LinkedHashMap<>();
  private final KeptTraces kept = new KeptTraces();

  /**
   * The traces that others keep and this node has nothing of so far; apart, so that none is put out
   * above.
   */
  private final KeptTraces heard = new KeptTraces();

  private final OtherSpans others;
  private volatile boolean isDrained;
  private volatile boolean isAbandoned;
  private volatile TailRules rules = TailRules.OFF;
  private volatile long closingUntil;
  private int firstFree = HeldRecords.NONE;
  private int lastFree = HeldRecords.NONE;
  private int freeWeight;
  private int undecidedWeight;
  private int othersUndecided;
  private long nowNanos = Clock.now();

  /**
   * @param next what is kept is handed to, as it has room
   * @param others the same for spans of other instrumentations
   * @param unfinished told how many spans that are kept could not leave before the process ended
   */
  public TailSampler(SpanSink next, OtherSink others, TailCounts counts, IntConsumer unfinished) {
    this.next = next;
    this.others = new OtherSpans(others);
    this.counts = counts;
    this.unfinished = unfinished;
    Memory.add(Memory.Purpose.HELD, records::bytes);
  }

  /** Sets what is kept; holds for what is undecided, too. Any thread. */
  public void rule(Settings settings) {
    TailRules now = TailRules.of(settings);
    rules = now;
    KeepNotices.listen(now.enabled());
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
    TailReason known = known(now, id);
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
      keep(id, reason);
      counts.kept(reason, 1);
      setFree(span);
    }
  }

  /** Why a trace is kept, whatever its next span says; null if it is not, as far as known. */
  private @Nullable TailReason known(TailRules now, TraceId id) {
    if (now.isInShare(id)) {
      return TailReason.SHARE;
    }
    TailReason reason = kept.reason(id);
    if (reason == null && heard.reason(id) != null) {
      reason = TailReason.PEER;
      keep(id, reason);
    }
    return reason;
  }

  /** Other nodes that this one knows may have more of the trace. */
  private void keep(TraceId id, TailReason reason) {
    kept.keep(id, reason);
    KeepNotices.tell(id.hi(), id.lo());
    HeldTrace trace = undecided.remove(id);
    if (trace != null) {
      setFree(trace, reason);
    }
  }

  /**
   * A span of another instrumentation has ended. Any thread.
   *
   * @return false if it may pass at once
   */
  public boolean ended(ReadableSpan span) {
    if (isDrained) {
      late(span);
      return true;
    }
    if (isAbandoned) {
      return !passesByItself(span);
    }
    if (!rules.enabled() && others.waiting() == 0) {
      return false;
    }
    if (!others.add(span)) {
      counts.othersLetGo(TailLoss.FULL, 1);
    } else if (isDrained) {
      drained(); // meanwhile, so that nobody comes for it any more
    } else if (isAbandoned) {
      abandoned();
    }
    return true;
  }

  private void judge(ReadableSpan span) {
    TailRules now = rules;
    TraceId id = TraceId.of(span.getSpanContext());
    TailReason why = now.enabled() ? known(now, id) : TailReason.SHARE;
    if (why == null) {
      why = now.reason(span);
      if (why != null) {
        keep(id, why);
      }
    }
    OtherSpan other = OtherSpan.of(span);
    if (why != null) {
      setFree(other);
    } else {
      undecided.computeIfAbsent(id, i -> new HeldTrace(nowNanos)).add(other);
      undecidedWeight += other.weight();
      othersUndecided++;
      makeRoom(now.maxSpans());
    }
  }

  private void setFree(OtherSpan span) {
    counts.othersKept(1);
    freeWeight += span.weight();
    others.setFree(span);
  }

  /**
   * The drainer has ended. Spans of other instrumentations that end from now on are not waited for
   * any more: those of kept traces pass.
   */
  public void drained() {
    isDrained = true;
    for (ReadableSpan span = others.poll(); span != null; span = others.poll()) {
      late(span);
    }
  }

  /**
   * The drainer does not come back before the process ends. The waiting spans are lost, and
   * counted; among those that end from now on only those pass which is kept whatever the rest of
   * its trace is.
   */
  public void abandoned() {
    isAbandoned = true;
    int lost = 0;
    while (others.poll() != null) {
      lost++;
    }
    counts.othersLetGo(TailLoss.FULL, lost);
  }

  /** Without a look at what is known of its trace, which is the drainer's. */
  private boolean passesByItself(ReadableSpan span) {
    TailRules now = rules;
    boolean passes =
        !now.enabled()
            || now.isInShare(TraceId.of(span.getSpanContext()))
            || now.reason(span) != null;
    if (passes) {
      counts.othersKept(1);
    } else {
      counts.othersLetGo(TailLoss.NORMAL, 1);
    }
    return passes;
  }

  private synchronized void late(ReadableSpan span) {
    TailRules now = rules;
    TraceId id = TraceId.of(span.getSpanContext());
    if (!now.enabled()
        || now.isInShare(id)
        || kept.reason(id) != null
        || heard.reason(id) != null
        || now.reason(span) != null) {
      counts.othersKept(1);
      others.pass(span);
    } else {
      counts.othersLetGo(TailLoss.NORMAL, 1);
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
    HeldTrace trace = undecided.computeIfAbsent(id, i -> new HeldTrace(nowNanos));
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
    counts.othersLetGo(why, trace.others().size());
    othersUndecided -= trace.others().size();
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
    if (trace.first != HeldRecords.NONE) {
      append(trace.first, trace.last);
    }
    counts.othersKept(trace.others().size());
    othersUndecided -= trace.others().size();
    trace.others().forEach(others::setFree);
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

  /** Takes in what has come from elsewhere than the rings, with or without records in these. */
  @Override
  public void round() {
    int unused = room();
    takeIn();
  }

  private void takeIn() {
    for (KeepNotices.KeptId told = KeepNotices.take(); told != null; told = KeepNotices.take()) {
      TraceId id = new TraceId(told.hi(), told.lo());
      if (kept.reason(id) == null) {
        heard.keep(id, TailReason.PEER);
        if (undecided.containsKey(id)) {
          keep(id, TailReason.PEER);
        }
      }
    }
    while (undecidedWeight + freeWeight < rules.maxSpans() || !undecided.isEmpty()) {
      ReadableSpan span = others.poll();
      if (span == null) {
        return;
      }
      judge(span);
    }
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
    counts.held(held());
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

  /** Undecided spans are exported when the sampling ends: from now on everything is. */
  private void switchedOff() {
    for (HeldTrace trace : undecided.values()) {
      setFree(trace, TailReason.SHARE);
    }
    undecided.clear();
    kept.clear();
    heard.clear();
  }

  private int held() {
    return records.size() + othersUndecided + others.waiting();
  }

  /** Returns the room that is left. */
  private int handOver() {
    freeWeight -= others.handOver();
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
    view.letGo();
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
    takeIn();
    decide(Clock.now());
    counts.held(held());
    while (isAnyFree()) {
      handOver();
      next.flush();
      if (isAnyFree()) {
        if (Clock.now() - closingUntil > 0) {
          giveUp();
          return;
        }
        LockSupport.parkNanos(this, PAUSE_NANOS);
      }
    }
    counts.held(held());
  }

  private boolean isAnyFree() {
    return firstFree != HeldRecords.NONE || others.hasFree();
  }

  private void giveUp() {
    others.handOverAll();
    int left = 0;
    while (firstFree != HeldRecords.NONE) {
      int number = firstFree;
      firstFree = records.next(number);
      records.letGo(number);
      left++;
    }
    lastFree = HeldRecords.NONE;
    freeWeight = 0;
    counts.held(held());
    unfinished.accept(left);
  }
}
