// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine;

import java.time.Duration;
import java.util.Queue;

/**
 * Looks after messages that are in a lane's queue without the lane having been woken. A sender that
 * read the association's queues before the lane was put there offers to the queue behind the lane's
 * back, and a queue that was lazy does so right after starting the lane. A sender that is short of
 * stack leaves the waking to this, too. So it looks soon after the start, and then once a second.
 *
 * <p><b>Threads.</b> Any.
 */
final class Latecomers {
  private static final Duration FIRST_LOOK = Duration.ofMillis(2);
  private static final Duration LAST_LOOK = Duration.ofSeconds(1);
  private static final int LOOK_FACTOR = 4;

  private final TransportEngine engine;
  private final Queue<?> queue;
  private final SerialTask task;
  private volatile boolean stopped;

  Latecomers(TransportEngine engine, Queue<?> queue, SerialTask task) {
    this.engine = engine;
    this.queue = queue;
    this.task = task;
  }

  void start() {
    lookAfter(FIRST_LOOK);
  }

  void stop() {
    stopped = true;
  }

  private void lookAfter(Duration delay) {
    try {
      engine
          .system
          .scheduler()
          .scheduleOnce(delay, () -> look(delay), engine.system.dispatchers().internalDispatcher());
    } catch (IllegalStateException e) {
      engine.log.debug("No more looks into a send queue, as the system is stopping");
    }
  }

  private void look(Duration delay) {
    if (!stopped) {
      if (!queue.isEmpty()) {
        task.wake();
      }
      Duration next = delay.multipliedBy(LOOK_FACTOR);
      lookAfter(next.compareTo(LAST_LOOK) < 0 ? next : LAST_LOOK);
    }
  }
}
