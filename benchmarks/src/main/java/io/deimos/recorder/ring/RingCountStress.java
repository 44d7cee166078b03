// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.deimos.recorder.actors.ActorKinds;
import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.actors.Actors;
import io.deimos.recorder.actors.MessageClasses;
import io.deimos.recorder.counts.CountsUnderStress;
import io.deimos.recorder.counts.RecordCells;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJ_Result;

/**
 * A record is counted once, whether the collector or the drainer comes first, and not before it is
 * whole. Two records are there, a third is written. Results: how many are counted in the end, and
 * the sum of their processing times, which are 1, 2 and 4 nanoseconds.
 */
@JCStressTest
@Outcome(id = "3, 7", expect = ACCEPTABLE, desc = "each counted once, and whole")
@Outcome(expect = FORBIDDEN, desc = "one was counted twice, not at all, or before it was written")
@State
public class RingCountStress {
  private static final ActorTelemetry ACTOR =
      Actors.register("pekko://stress/user/a", ActorKinds.of("stress", "io.example.Actor", false));
  private static final int MESSAGE = MessageClasses.of(String.class).id();

  private final RecordCells cells = new RecordCells();
  private final Ring ring = new Ring(64, cells);

  public RingCountStress() {
    write(1);
    write(2);
  }

  @Actor
  public void owner() {
    write(4);
  }

  @Actor
  public void collector() {
    ring.count();
  }

  @Actor
  public void drainer() {
    ring.drain(new SpanView(), span -> {}, 2);
  }

  @Arbiter
  public void afterwards(JJ_Result result) {
    ring.count();
    CountsUnderStress counted = CountsUnderStress.of(cells);
    result.r1 = counted.processed();
    result.r2 = counted.processingNanos();
  }

  private void write(long durationNanos) {
    ring.tryWrite(1, 1, 1, 0, 0, 1, durationNanos, MESSAGE, 0, ACTOR.id(), null);
  }
}
