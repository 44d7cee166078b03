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
 * A record is seen whole or not at all. Results: records drained, its first and its last but one
 * word.
 */
@JCStressTest
@Outcome(id = "0, 0, 0", expect = ACCEPTABLE, desc = "not yet published")
@Outcome(id = "1, 7, 9", expect = ACCEPTABLE, desc = "published whole")
@Outcome(expect = FORBIDDEN, desc = "published in part")
@State
public class RingPublicationStress {
  private final Ring ring = new Ring(64);

  @Actor
  public void owner() {
    ring.tryWrite(7, 0, 1, 0, 0, 9, 0, 0, 0, 0, null);
  }

  @Actor
  public void drainer(IJJ_Result result) {
    result.r1 =
        ring.drain(
            new SpanView(),
            span -> {
              result.r2 = span.traceHi();
              result.r3 = span.start();
            },
            1);
  }
}
