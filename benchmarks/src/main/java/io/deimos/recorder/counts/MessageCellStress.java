// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.counts;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.MessageClasses;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * A cell that one thread writes and another folds: no count is lost, made up or taken back.
 * Results: the failures of a first and of a second fold during two increments, and of a fold after
 * them.
 */
@JCStressTest
@Outcome(id = "0, 0, 2", expect = ACCEPTABLE, desc = "both folds before the first is visible")
@Outcome(id = "0, 1, 2", expect = ACCEPTABLE, desc = "the first became visible between the folds")
@Outcome(id = "0, 2, 2", expect = ACCEPTABLE, desc = "both became visible between the folds")
@Outcome(id = "1, 1, 2", expect = ACCEPTABLE, desc = "one before both folds")
@Outcome(id = "1, 2, 2", expect = ACCEPTABLE, desc = "one before each fold")
@Outcome(id = "2, 2, 2", expect = ACCEPTABLE, desc = "both before both folds")
@Outcome(expect = FORBIDDEN, desc = "a count went back, was lost, or never was")
@State
public class MessageCellStress {
  private final MessageCell cell =
      new MessageCell(
          String.class,
          ActorKinds.of("stress", "io.example.Actor", false),
          MessageClasses.of(String.class),
          0);

  @Actor
  public void owner() {
    cell.failed();
    cell.failed();
  }

  @Actor
  public void collector(JJJ_Result result) {
    result.r1 = failed();
    result.r2 = failed();
  }

  @Arbiter
  public void afterwards(JJJ_Result result) {
    result.r3 = failed();
  }

  private long failed() {
    long[] sums = new long[MessageCell.LONGS];
    cell.addTo(sums);
    return sums[MessageCell.FAILED];
  }
}
