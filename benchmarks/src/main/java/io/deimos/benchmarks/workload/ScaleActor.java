// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.UntypedAbstractActor;

/** One of many actors: reports once a round, when it has had its share of the messages. */
final class ScaleActor extends UntypedAbstractActor {
  /**
   * The state that all actors look at: how many messages are a round's share, and whom to tell. It
   * is written between rounds only; the first message of a round publishes it.
   */
  static final class Round {
    int share;
    CountDownLatch finished = new CountDownLatch(0);
  }

  private final Round round;
  private int seen;

  ScaleActor(Round round) {
    this.round = round;
  }

  @Override
  public void onReceive(Object message) {
    if (++seen == round.share) {
      seen = 0;
      round.finished.countDown();
    }
  }
}
