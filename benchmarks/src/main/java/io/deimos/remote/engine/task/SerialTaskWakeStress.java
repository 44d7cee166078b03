// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.remote.engine.task;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * Work is always seen, though it is published by an ordered store only, and though the second
 * wake-up may find that the task is to run once more anyway. Results: what of the work has been
 * seen when nothing is left to run.
 */
@JCStressTest
@Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "all work is seen")
@Outcome(expect = FORBIDDEN, desc = "a wake-up is lost")
@State
public class SerialTaskWakeStress {
  private final AtomicInteger first = new AtomicInteger();
  private final AtomicInteger second = new AtomicInteger();
  private final AtomicInteger submitted = new AtomicInteger();
  private final SerialTask task = new SerialTask(submitted::incrementAndGet);
  private int firstSeen;
  private int secondSeen;

  /** A run is due, so that the wake-ups meet it. */
  public SerialTaskWakeStress() {
    task.wake();
  }

  private void runAll() {
    while (submitted.get() > 0) {
      submitted.decrementAndGet();
      firstSeen = first.getPlain();
      secondSeen = second.getPlain();
      task.finish();
    }
  }

  @Actor
  public void waker() {
    first.setRelease(1);
    task.wake();
    second.setRelease(1);
    task.wake();
  }

  @Actor
  public void runner() {
    runAll();
  }

  @Arbiter
  public void rest(II_Result result) {
    runAll();
    result.r1 = firstSeen;
    result.r2 = secondSeen;
  }
}
