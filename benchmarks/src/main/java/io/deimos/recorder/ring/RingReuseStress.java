// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.recorder.ring;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.IJJ_Result;

/**
 * A full ring's oldest place is written again only after it has been read. Results: whether the new
 * record found room (1) or was dropped (0), and the oldest record's first and last but one word.
 */
@JCStressTest
@Outcome(id = "0, 1, 1", expect = ACCEPTABLE, desc = "writer -> drainer: dropped, the oldest read")
@Outcome(
    id = "1, 1, 1",
    expect = ACCEPTABLE,
    desc = "drainer -> writer: the oldest read, then room")
@Outcome(expect = FORBIDDEN, desc = "the oldest was overwritten before it was read")
@State
public class RingReuseStress {
  private static final int CAPACITY = 64;

  private final Ring ring = new Ring(CAPACITY);

  public RingReuseStress() {
    for (int i = 1; i <= CAPACITY; i++) {
      ring.tryWrite(i, 0, 1, 0, 0, i, 0, 0, 0, 0, null);
    }
  }

  @Actor
  public void owner(IJJ_Result result) {
    result.r1 = ring.tryWrite(99, 0, 1, 0, 0, 99, 0, 0, 0, 0, null) ? 1 : 0;
  }

  @Actor
  public void drainer(IJJ_Result result) {
    ring.drain(
        new SpanView(),
        span -> {
          result.r2 = span.traceHi();
          result.r3 = span.start();
        },
        1);
  }
}
