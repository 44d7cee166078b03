// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.RecorderConfig;
import io.deimos.recorder.ring.Backlog;
import io.deimos.recorder.ring.DrainGoal;
import io.deimos.recorder.ring.DrainerPause;
import io.deimos.recorder.ring.HeardRecords;
import io.deimos.recorder.ring.Lane;
import io.deimos.recorder.ring.Lanes;
import io.deimos.recorder.ring.RecordListener;
import io.deimos.recorder.ring.SpanSink;
import io.deimos.recorder.ring.SpanView;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The one thread that reads all rings and hands their records to a sink. It paces itself, so that a
 * wake-up finds enough records to be worth its cost: busy rings are read without a pause, others
 * after pauses that grow until a round finds a few hundred, and that a ring ends which is a quarter
 * full. Records for which the sink has no room stay in the rings.
 */
public final class Drainer implements AutoCloseable {
  private static final int BATCH = 1024;
  private static final int LARGE_BATCH = 4096;
  private static final long MIN_PAUSE_NANOS = 200_000;
  private static final long MAX_PAUSE_NANOS = 50_000_000;
  private static final long END_MILLIS = 5_000;

  /** The longest pause of a drainer that finds nothing. */
  private static final long IDLE_PAUSE_NANOS = 250_000_000;

  /** The longest pause before the sink is asked again whether it has room. */
  private static final long NO_ROOM_PAUSE_NANOS = 1_000_000;

  /** With fewer records than {@link #FEW} in a round, pauses grow; with more than this, shrink. */
  private static final int MANY = BATCH / 2;

  private static final int FEW = BATCH / 4;

  private static volatile Backlog waiting = new Backlog(0);
  private static volatile boolean running;
  private static volatile @Nullable RecordListener listener;

  private final SpanSink sink;
  private final Backlog backlog = new Backlog(RecorderConfig.current().rings().backlog());
  private final Thread thread = AgentThread.make("deimos-drainer", this::run);
  private final SpanView view = new SpanView();
  private final HeardRecords heard = new HeardRecords();
  private final long minPauseNanos;
  private final long maxPauseNanos;
  private final long idlePauseNanos;
  private final Queue<DrainGoal> goals = new ConcurrentLinkedQueue<>();
  private volatile boolean closed;

  /** Makes a drainer that does not run yet. */
  public Drainer(SpanSink sink) {
    this(sink, MIN_PAUSE_NANOS, MAX_PAUSE_NANOS);
  }

  Drainer(SpanSink sink, long minPauseNanos, long maxPauseNanos) {
    this.sink = sink;
    this.minPauseNanos = minPauseNanos;
    this.maxPauseNanos = maxPauseNanos;
    this.idlePauseNanos = Math.max(maxPauseNanos, IDLE_PAUSE_NANOS);
  }

  /** Begins to drain. Called once. */
  public void start() {
    waiting = backlog;
    running = true;
    thread.start();
  }

  /**
   * Waits until what was recorded before this call has been handed to the sink and flushed. Records
   * that come meanwhile are not waited for.
   *
   * @param timeoutMillis 0 or more
   * @return false if that took longer
   */
  public boolean drain(long timeoutMillis) throws InterruptedException {
    DrainGoal goal = new DrainGoal();
    goals.add(goal);
    LockSupport.unpark(thread);
    boolean isReached = goal.await(timeoutMillis);
    goals.remove(goal);
    return isReached;
  }

  /** Records not yet handed to the sink. */
  public static long backlog() {
    return Lanes.backlog() + waiting.size();
  }

  /** Ends the draining; what is recorded after this stays in the rings. */
  @Override
  public void close() {
    boolean unused = close(END_MILLIS);
  }

  /**
   * {@link #close()} that waits no longer than this for a sink that does not come back.
   *
   * @param timeoutMillis 1 or more
   * @return whether it has come back
   */
  public boolean close(long timeoutMillis) {
    closed = true;
    running = false;
    LockSupport.unpark(thread);
    try {
      thread.join(timeoutMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return !thread.isAlive();
  }

  /** The bytes of the records that wait behind the rings. */
  static long backlogBytes() {
    return waiting.bytes();
  }

  /** Whether records are taken out of the rings at all. */
  public static boolean isRunning() {
    return running;
  }

  /** From now on a listener is told of each record that leaves a ring; null for none. */
  public static void listen(@Nullable RecordListener told) {
    listener = told;
  }

  private void run() {
    long pause = minPauseNanos;
    while (!closed) {
      int moved = 0;
      try {
        moved = drainOnce();
      } catch (Throwable t) {
        Faults.caught(t);
      }
      answer();
      if (moved < BATCH) {
        view.letGo(); // the next record may be hours away, and this one's actor system at its end
        pause = pauseAfter(moved, pause);
        DrainerPause.pause(this, pause);
      }
    }
  }

  private long pauseAfter(int moved, long last) {
    if (backlog.size() > 0) {
      return moved > 0 ? minPauseNanos : Math.min(last * 2, NO_ROOM_PAUSE_NANOS);
    }
    if (moved > MANY) {
      return Math.max(last / 2, minPauseNanos);
    }
    if (moved >= FEW) {
      return Math.min(last, maxPauseNanos);
    }
    return moved > 0
        ? Math.max(minPauseNanos, Math.min(last * 2, maxPauseNanos))
        : Math.min(last * 2, idlePauseNanos);
  }

  private void answer() {
    if (!goals.isEmpty()) {
      goals.removeIf(this::isAnswered);
    }
  }

  private boolean isAnswered(DrainGoal goal) {
    try {
      if (!goal.isReached(backlog)) {
        return false;
      }
      sink.flush();
    } catch (Throwable t) {
      Faults.caught(t);
    }
    goal.reached();
    return true;
  }

  private int drainOnce() {
    int moved = 0;
    Lanes.count();
    sink.round();
    if (backlog.size() > 0) {
      moved = backlog.drain(view, sink, Math.min(LARGE_BATCH, sink.room()));
    }
    for (Lane lane : Lanes.all()) {
      moved += drain(lane);
    }
    if (moved > 0) {
      sink.flush();
    }
    return moved;
  }

  /** Straight to the sink while it has room and nothing older waits; the rest into the backlog. */
  private int drain(Lane lane) {
    RecordListener told = listener;
    int moved = 0;
    if (backlog.size() == 0) {
      int room = Math.min(BATCH, sink.room());
      moved = room > 0 ? lane.drain(view, heard.of(lane, told, sink), room) : 0;
      if (room > 0 || lane.backlog() == 0) {
        return moved;
      }
    }
    int room = Math.min(BATCH, backlog.room());
    return room > 0 ? lane.drain(view, heard.of(lane, told, backlog), room) : moved;
  }
}
