// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.agent.observer;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.ring.SpanView;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;

/**
 * The taps: those that are open, and the last that have ended, which may still be read.
 *
 * <p><b>Threads.</b> The drainer offers messages; the page's threads open taps and read them.
 *
 * <p><b>Cost.</b> While no tap is open, the drainer reads one field for each message.
 *
 * <p><b>Full.</b> {@value #MAX_OPEN} are open at once, {@value #MAX_KEPT} are kept in all.
 */
final class MessageTaps {
  static final int MAX_OPEN = 4;
  private static final int MAX_KEPT = 8;

  /** The drainer looks at the clock after so many messages. */
  private static final int OFTEN = 256;

  private static final OpenTap[] NONE = {};

  private final Deque<OpenTap> kept = new ArrayDeque<>();
  private volatile OpenTap[] open = NONE;
  private int offered;

  /** Takes what was processed. By the drainer. */
  void offer(SpanView span, ActorTelemetry actor, @Nullable ActorTelemetry sender, long waitNanos) {
    OpenTap[] now = open;
    if (now.length == 0) {
      return;
    }
    boolean ended = false;
    for (OpenTap tap : now) {
      tap.offer(span, actor, sender, waitNanos);
      ended |= !tap.isOpen();
    }
    if (ended || ++offered % OFTEN == 0) {
      tick(System.nanoTime());
    }
  }

  private synchronized void tick(long nowNanos) {
    for (OpenTap tap : open) {
      tap.tick(nowNanos);
    }
    if (!Arrays.stream(open).allMatch(OpenTap::isOpen)) {
      open = Arrays.stream(open).filter(OpenTap::isOpen).toArray(OpenTap[]::new);
    }
  }

  /** Opens one; null if there are as many as there may be. */
  synchronized @Nullable TapState open(TapQuery query, long nowNanos) {
    tick(nowNanos);
    if (open.length >= MAX_OPEN) {
      return null;
    }
    String id = String.format("%016x", ThreadLocalRandom.current().nextLong());
    OpenTap tap = new OpenTap(id, query, nowNanos);
    if (kept.size() >= MAX_KEPT) {
      kept.remove(kept.stream().filter(old -> !old.isOpen()).findFirst().orElseThrow());
    }
    kept.add(tap);
    OpenTap[] more = Arrays.copyOf(open, open.length + 1);
    more[open.length] = tap;
    open = more;
    return tap.read(0, nowNanos);
  }

  /**
   * The messages that have come.
   *
   * @param after the number of the last message that is known, 0 for none
   * @return null if there is no such tap any more
   */
  synchronized @Nullable TapState read(String id, int after, long nowNanos) {
    tick(nowNanos);
    for (OpenTap tap : kept) {
      if (tap.id().equals(id)) {
        return tap.read(after, nowNanos);
      }
    }
    return null;
  }

  synchronized long bytes() {
    return kept.stream().mapToLong(OpenTap::bytes).sum();
  }
}
