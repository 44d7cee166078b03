// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.deimos.recorder.base.RecorderConfig;
import java.lang.ref.WeakReference;
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/**
 * A virtual thread gives its lane back and the next one takes it, while housekeeping looks for
 * lanes whose thread has ended and sees the first owner. Results: how often the first owner's time
 * was ended, and whether the lane has an owner afterwards.
 */
@JCStressTest
@Outcome(
    id = "1, 1",
    expect = ACCEPTABLE,
    desc = "ended once; the next owner took the lane and keeps it")
@Outcome(
    id = "1, 0",
    expect = ACCEPTABLE,
    desc = "housekeeping took the lane; the next owner found none")
@Outcome(expect = FORBIDDEN, desc = "the lane was given to two, or taken from the next owner")
@State
public class LaneOwnerStress {
  private final Lane lane = new Lane(RecorderConfig.DEFAULT, 42);
  private final WeakReference<Thread> first = new WeakReference<>(new Thread());
  private int byOwner;
  private int bySweep;

  public LaneOwnerStress() {
    lane.owner = first;
  }

  /** The first owner, and after it the next. */
  @Actor
  public void owners() {
    if (lane.leave(first)) {
      byOwner = 1;
      lane.owner = new WeakReference<>(Thread.currentThread());
    }
  }

  /** The first owner's thread never runs, so it counts as ended. */
  @Actor
  public void sweep() {
    WeakReference<Thread> orphan = lane.orphan();
    if (Objects.equals(orphan, first) && lane.leave(first)) {
      bySweep = 1;
    }
  }

  @Arbiter
  public void afterwards(II_Result result) {
    result.r1 = byOwner + bySweep;
    result.r2 = lane.owner == null ? 0 : 1;
  }
}
