// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The content of the rings when somebody asked for it to be handed over. Later records are not
 * waited for, so actors that go on do not keep the asker waiting.
 *
 * <p><b>Threads.</b> Made and awaited by the asker, looked at by the drainer.
 *
 * <p><b>Order.</b> Records leave a ring in order, for the sink or for the backlog, and the backlog
 * in order too. So once every ring is past its end, what the backlog has taken by then is the rest.
 */
public final class DrainGoal {
  private static final long NOT_KNOWN = -1;

  private final List<Lanes.Mark> ends = new ArrayList<>(Lanes.marks());
  private final CountDownLatch reached = new CountDownLatch(1);
  private long backlogEnd = NOT_KNOWN;

  /** Whether all of it has been handed over. The drainer's, after a pass. */
  public boolean isReached(Backlog backlog) {
    if (backlogEnd == NOT_KNOWN) {
      ends.removeIf(Lanes.Mark::isDrained);
      if (!ends.isEmpty()) {
        return false;
      }
      backlogEnd = backlog.taken();
    }
    return backlog.handedOn() - backlogEnd >= 0;
  }

  /** Lets the asker go on. */
  public void reached() {
    reached.countDown();
  }

  public boolean await(long timeoutMillis) throws InterruptedException {
    return reached.await(timeoutMillis, TimeUnit.MILLISECONDS);
  }
}
