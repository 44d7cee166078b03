// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.ZZI_Result;

/**
 * Two threads that run the task themselves when they can, as a sender or an event loop does: it
 * never runs twice at once, each run sees what the one before did, and it is idle at the end.
 * Results: whether it ran twice at once, whether it is idle, and runs less runs counted without a
 * lock (0 if none was overwritten).
 */
@JCStressTest
@Outcome(id = "false, true, 0", expect = ACCEPTABLE, desc = "one run after the other")
@Outcome(expect = FORBIDDEN, desc = "two runs at once, a run that was not seen, or no end")
@State
public class SerialTaskRunStress {
  private final AtomicBoolean inside = new AtomicBoolean();
  private final AtomicInteger runs = new AtomicInteger();
  private final SerialTask task = new SerialTask(() -> {});
  private volatile boolean twice;
  private int plainRuns;

  private void offer() {
    if (task.tryClaim()) {
      do {
        twice |= !inside.compareAndSet(false, true);
        plainRuns++;
        runs.incrementAndGet();
        inside.set(false);
      } while (!task.tryRelease());
    }
  }

  @Actor
  public void one() {
    offer();
  }

  @Actor
  public void other() {
    offer();
  }

  @Arbiter
  public void end(ZZI_Result result) {
    result.r1 = twice;
    result.r2 = task.isIdle();
    result.r3 = runs.get() - plainRuns;
  }
}
