// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.housekeeping;

import io.deimos.recorder.base.AgentThread;
import io.deimos.recorder.base.Faults;
import io.deimos.recorder.base.HousekeepingCall;
import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.hooks.BreakerHooks;
import io.deimos.recorder.hooks.ProjectionHooks;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Has the gauges read at an interval, or less often if that takes long: the thread then rests
 * {@value #SHARE} times as long, but no longer than {@value #MOST} intervals. Safe for any thread.
 */
public final class GaugeReaders {
  private static final int SHARE = 200;
  private static final int MOST = 10;

  private static final List<GaugeReader> ALL = new CopyOnWriteArrayList<>();
  private static volatile Readings last = new Readings();
  private static volatile @Nullable Thread thread;
  private static volatile long everyNanos = 1_000_000_000;
  private static volatile Runnable onEnd = () -> {};

  private GaugeReaders() {}

  /** Sets how often they are read. */
  public static void every(Duration interval) {
    everyNanos = interval.toNanos();
  }

  /** Sets what is done, by the thread that reads gauges, when an actor system has begun to end. */
  public static void onEnd(Runnable done) {
    onEnd = done;
  }

  /** Adds an actor system's; the first one has the thread started. */
  public static void add(GaugeReader reader) {
    ALL.add(reader);
    HousekeepingCall.wake();
    LockSupport.unpark(thread);
  }

  /** Called by housekeeping, since a thread keeps something of the one that starts it. */
  static void startIfWanted() {
    if (thread == null && !ALL.isEmpty()) {
      thread = AgentThread.start("deimos-gauges", GaugeReaders::run);
    }
  }

  /** The last readings. */
  public static Readings last() {
    return last;
  }

  /** Looks at one actor; null if no actor system has it, or none can be looked into. */
  public static @Nullable ActorLook look(String path) {
    for (GaugeReader reader : ALL) {
      ActorLook look = reader.look(path);
      if (look != null) {
        return look;
      }
    }
    return null;
  }

  /** Has an actor's own thread look into it; null if no actor system has it. */
  public static @Nullable ActorInside inside(String path) {
    for (GaugeReader reader : ALL) {
      ActorInside inside = reader.inside(path);
      if (inside != null) {
        return inside;
      }
    }
    return null;
  }

  /** Shows what waits in all actor systems to somebody who looks for a message. */
  public static void search(MessageSearch search) {
    for (GaugeReader reader : ALL) {
      if (search.goesOn()) {
        reader.search(search);
      }
    }
  }

  private static void run() {
    while (true) {
      long begun = Clock.now();
      try {
        readOnce();
        Faults.tell();
      } catch (Throwable t) {
        Faults.caught(t); // the gauges keep what they showed; the next reading may succeed
      }
      long took = Clock.now() - begun;
      if (ALL.isEmpty()) {
        LockSupport.park(GaugeReaders.class);
      } else {
        LockSupport.parkNanos(pauseNanos(took));
      }
    }
  }

  static long pauseNanos(long tookNanos) {
    long every = everyNanos;
    return Math.max(every, Math.min(tookNanos * SHARE, every * MOST));
  }

  static void readOnce() {
    Readings readings = new Readings();
    readings.at(Clock.now());
    boolean ended = ALL.removeIf(reader -> !read(reader, readings));
    BreakerHooks.read(readings);
    ProjectionHooks.read(readings);
    readings.mailboxes().follow(last.mailboxes(), Clock.now());
    last = readings;
    if (ended) {
      onEnd.run();
    }
  }

  private static boolean read(GaugeReader reader, Readings into) {
    try {
      return reader.read(into);
    } catch (Throwable t) {
      Faults.caught(t);
      return true; // one failure is not the end of the actor system
    }
  }
}
