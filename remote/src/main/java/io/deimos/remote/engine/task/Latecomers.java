// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Has lanes look after messages that are in their queue without their having been woken. A sender
 * that read the association's queues before the lane was put there offers to the queue behind the
 * lane's back, and a queue that was lazy does so right after starting the lane. A sender that is
 * short of stack leaves the waking to this, too. So each lane looks soon after its start, and then
 * once a second, with all others in one sweep.
 *
 * <p><b>Threads.</b> Any.
 */
public final class Latecomers {
  private static final Duration FIRST_LOOK = Duration.ofMillis(2);
  private static final Duration SWEEP = Duration.ofSeconds(1);
  private static final int LOOK_FACTOR = 4;

  private final Timer timer;
  private final Set<Runnable> looks = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /** Runs something after a pause. */
  public interface Timer {
    void later(Duration pause, Runnable task);
  }

  public Latecomers(Timer timer) {
    this.timer = timer;
  }

  /** Begins to look; the same object ends it. */
  public void add(Runnable look) {
    looks.add(look);
    lookAfter(FIRST_LOOK, look);
    sweepLater();
  }

  public void remove(Runnable look) {
    looks.remove(look);
  }

  private void lookAfter(Duration pause, Runnable look) {
    if (pause.compareTo(SWEEP) < 0) {
      timer.later(
          pause,
          () -> {
            if (looks.contains(look)) {
              look.run();
              lookAfter(pause.multipliedBy(LOOK_FACTOR), look);
            }
          });
    }
  }

  private void sweepLater() {
    if (!looks.isEmpty() && sweeping.compareAndSet(false, true)) {
      timer.later(SWEEP, this::sweep);
    }
  }

  private void sweep() {
    sweeping.set(false);
    sweepLater();
    looks.forEach(Runnable::run);
  }
}
