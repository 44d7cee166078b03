// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.tail;

import io.deimos.recorder.base.Faults;
import io.deimos.recorder.ring.DrainerPause;
import io.opentelemetry.sdk.trace.ReadableSpan;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The spans of other instrumentations (HTTP, JDBC, messaging) before and after their trace is
 * decided: on their way from the threads that ended them to the drainer, and, set free, from there
 * to the exporter.
 *
 * <p><b>Threads.</b> Any adds; everything else is the drainer's, or of who comes after it.
 *
 * <p><b>Full.</b> Beyond {@value #ROOM} on their way, a span is not taken.
 */
final class OtherSpans {
  static final int ROOM = 8192;

  private final OtherSink next;
  private final Queue<ReadableSpan> ended = new ConcurrentLinkedQueue<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final ArrayDeque<OtherSpan> free = new ArrayDeque<>();

  OtherSpans(OtherSink next) {
    this.next = next;
  }

  /** A span has ended; false if there is no room for it. Any thread. */
  boolean add(ReadableSpan span) {
    int before = waiting.getAndIncrement();
    if (before >= ROOM) {
      waiting.decrementAndGet();
      return false;
    }
    ended.add(span);
    if (before >= ROOM / 2) {
      DrainerPause.end();
    }
    return true;
  }

  /** The one that has waited for longest; null if none waits. */
  @Nullable ReadableSpan poll() {
    ReadableSpan span = ended.poll();
    if (span != null) {
      waiting.decrementAndGet();
    }
    return span;
  }

  void setFree(OtherSpan span) {
    free.add(span);
  }

  boolean hasFree() {
    return !free.isEmpty();
  }

  int waiting() {
    return waiting.get() + free.size();
  }

  /**
   * Hands over what is free, as far as there is room.
   *
   * @return the weight of what has left
   */
  int handOver() {
    return free.isEmpty() ? 0 : handOver(next.room());
  }

  /** The process ends: hands over what is free, room or not. */
  void handOverAll() {
    int unused = handOver(Integer.MAX_VALUE);
  }

  private int handOver(int most) {
    int weight = 0;
    for (int i = 0; i < most && !free.isEmpty(); i++) {
      OtherSpan span = free.remove();
      weight += span.weight();
      pass(span.span());
    }
    return weight;
  }

  void pass(ReadableSpan span) {
    try {
      next.accept(span);
    } catch (Throwable t) {
      Faults.caught(t);
    }
  }
}
