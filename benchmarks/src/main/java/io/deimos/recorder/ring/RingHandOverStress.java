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
import java.util.Objects;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.JJJ_Result;

/**
 * The owner goes on in another chunk, or in the same one, while the drainer reads to the end of the
 * first, and counts before and between. Two threads, so that two processors can run it. Results:
 * records drained in order, counted, and the bytes that the ring has in the end.
 */
@JCStressTest
@Outcome(id = "66, 66, 4096", expect = ACCEPTABLE, desc = "each once, in order, in one chunk")
@Outcome(expect = FORBIDDEN, desc = "one was lost, read twice or counted twice, or a chunk is lost")
@State
public class RingHandOverStress {
  private static final ActorTelemetry ACTOR =
      Actors.register("pekko://stress/user/h", ActorKinds.of("stress", "io.example.Over", false));
  private static final int MESSAGE = MessageClasses.of(String.class).id();

  private final RecordCells cells = new RecordCells();
  private final RingBudget budget = new RingBudget(Ring.bytes(1024), 256);
  private final Ring ring = Objects.requireNonNull(budget.first(cells, 0));
  private long written;
  private long inOrder;

  public RingHandOverStress() {
    for (int i = 0; i < Chunk.RECORDS - 1; i++) {
      write();
    }
    drain(Chunk.RECORDS - 2);
  }

  @Actor
  public void owner() {
    write();
    write();
    write();
  }

  @Actor
  public void drainer() {
    drain(2);
    ring.count();
    drain(2);
  }

  @Arbiter
  public void afterwards(JJJ_Result result) {
    drain(1024);
    result.r1 = inOrder;
    result.r2 = CountsUnderStress.of(cells).processed();
    result.r3 = budget.usedBytes();
  }

  private void drain(int limit) {
    ring.drain(
        new SpanView(),
        span -> {
          if (span.traceHi() == inOrder + 1) {
            inOrder++;
          }
        },
        limit);
  }

  private void write() {
    written++;
    ring.tryWrite(written, 1, 1, 0, 0, 1, 1, MESSAGE, 0, ACTOR.id(), null);
  }
}
