// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.trouble;

import io.deimos.recorder.clock.Clock;
import io.deimos.recorder.counts.Metric;

/**
 * An empty task of ours that waits for a thread of a dispatcher, or has waited. Handed in by one
 * thread, taken by another; never twice at a time.
 */
public final class WaitingTask {
  final String system;
  final String dispatcher;
  private volatile long sinceNanos;

  /** Set by the watch; begins anew when the task is handed in. */
  long toldAfterNanos;

  public WaitingTask(String system, String dispatcher) {
    this.system = system;
    this.dispatcher = dispatcher;
    Metric.STARVATIONS.tally().add(0, system, dispatcher); // a rate needs a zero to start from
  }

  /** It is handed in now. */
  public void handedIn() {
    toldAfterNanos = 0;
    long now = Clock.now();
    sinceNanos = now == 0 ? 1 : now;
    StarvationWatch.handedIn(this);
  }

  /** It has a thread, or was refused; returns for how long it waited. */
  public long taken() {
    long waited = Clock.now() - sinceNanos;
    sinceNanos = 0;
    StarvationWatch.taken(this);
    return waited;
  }

  boolean waits() {
    return sinceNanos != 0;
  }

  /** Now, if it does not wait any more. */
  long sinceNanos() {
    long since = sinceNanos;
    return since == 0 ? Clock.now() : since;
  }
}
