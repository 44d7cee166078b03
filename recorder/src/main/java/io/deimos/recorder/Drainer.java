// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that reads all rings and hands their records to a sink. It paces itself: busy
 * rings are read without a pause, idle ones every few milliseconds, or as soon as one of them is a
 * quarter full; what the sink has no room for stays in the rings.
 */
public final class Drainer implements AutoCloseable {
  private static final int BATCH = 1024;
  private static final int LARGE_BATCH = 4096;
  private static final long MIN_PAUSE_NANOS = 200_000;
  private static final long MAX_PAUSE_NANOS = 5_000_000;
  private static final long END_MILLIS = 5_000;
  private static final long SWEEP_NANOS = 100_000_000;

  private static volatile Backlog waiting = new Backlog(0);
  private static volatile @Nullable Thread asleep;

  private final SpanSink sink;
  private final Backlog backlog = new Backlog(Recorder.config().backlogCapacity());
  private final Thread thread = new Thread(this::run, "deimos-drainer");
  private final SpanView view = new SpanView();
  private final long minPauseNanos;
  private final long maxPauseNanos;
  private final AtomicReference<CountDownLatch> wanted = new AtomicReference<>();
  private volatile boolean closed;

  /** Makes a drainer that does not run yet. */
  public Drainer(SpanSink sink) {
    this(sink, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
  }

  Drainer(SpanSink sink, long minPauseNanos, long maxPauseNanos) {
    this.sink = sink;
    this.minPauseNanos = minPauseNanos;
    this.maxPauseNanos = maxPauseNanos;
    thread.setDaemon(true);
  }

  /** Begins to drain. Called once. */
  public void start() {
    waiting = backlog;
    thread.start();
  }

  /**
   * Waits until what was recorded before this call has been handed to the sink and flushed.
   *
   * @return false if that took longer than {@code timeoutMillis}
   */
  public boolean drain(long timeoutMillis) throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(1);
    CountDownLatch waiting = wanted.compareAndExchange(null, latch);
    if (waiting != null && !waiting.await(timeoutMillis, TimeUnit.MILLISECONDS)) {
      return false;
    }
    if (waiting != null) {
      return drain(timeoutMillis);
    }
    LockSupport.unpark(thread);
    return latch.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }

  /** Records not yet handed to the sink. */
  public static long backlog() {
    return Lanes.backlog() + waiting.size();
  }

  /** Ends the draining; what is recorded after this stays in the rings. */
  @Override
  public void close() {
    closed = true;
    LockSupport.unpark(thread);
    try {
      thread.join(END_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Whether the drainer makes a pause. */
  static boolean isAsleep() {
    return asleep != null;
  }

  /** Ends the pause of the drainer, if it makes one: a ring fills. */
  static void wake() {
    Thread sleeper = asleep;
    if (sleeper != null) {
      asleep = null;
      LockSupport.unpark(sleeper);
    }
  }

  private void run() {
    long pause = minPauseNanos;
    long swept = Clock.now();
    while (!closed) {
      int moved = 0;
      try {
        moved = drainOnce();
        long now = Clock.now();
        if (now - swept > SWEEP_NANOS) {
          swept = now;
          Clock.tick();
          Lanes.sweep();
          Actors.release(now);
          StuckWatch.look(now);
          Systems.tellOverdue(now);
          EntityAsks.sweep();
        }
      } catch (Throwable t) {
        Faults.caught(t);
      }
      CountDownLatch asked = wanted.get();
      if (asked != null && moved == 0 && backlog() == 0) {
        answer(asked);
        continue;
      }
      if (moved < BATCH) {
        pause =
            moved == 0 && backlog.size() == 0 ? Math.min(pause * 2, maxPauseNanos) : minPauseNanos;
        asleep = thread;
        LockSupport.parkNanos(this, pause);
        asleep = null;
      }
    }
  }

  private void answer(CountDownLatch asked) {
    try {
      sink.flush();
    } catch (Throwable t) {
      Faults.caught(t);
    }
    wanted.set(null);
    asked.countDown();
  }

  private int drainOnce() {
    int moved = 0;
    Lanes.count();
    if (backlog.size() > 0) {
      moved = backlog.drain(view, sink, Math.min(LARGE_BATCH, sink.room()));
    }
    for (Lane lane : Lanes.all()) {
      Ring ring = lane.ring;
      if (ring != null) {
        moved += drain(ring);
      }
    }
    if (moved > 0) {
      sink.flush();
    }
    return moved;
  }

  /** Straight to the sink while it has room and nothing older waits; the rest into the backlog. */
  private int drain(Ring ring) {
    int moved = 0;
    if (backlog.size() == 0) {
      int room = Math.min(BATCH, sink.room());
      moved = room > 0 ? ring.drain(view, sink, room) : 0;
      if (room > 0 || ring.backlog() == 0) {
        return moved;
      }
    }
    int room = Math.min(BATCH, backlog.room());
    return room > 0 ? ring.drain(view, backlog, room) : moved;
  }
}
