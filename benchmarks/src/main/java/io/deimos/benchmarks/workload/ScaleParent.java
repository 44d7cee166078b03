// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.concurrent.CountDownLatch;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;

/**
 * Starts children into a slice of an array, since the user guardian alone would take minutes for a
 * million.
 */
final class ScaleParent extends UntypedAbstractActor {
  /** The slice to fill, and the latch to count down when that is done. */
  static final class Fill {
    private final ActorRef[] actors;
    private final int from;
    private final int to;
    private final CountDownLatch done;

    Fill(ActorRef[] actors, int from, int to, CountDownLatch done) {
      this.actors = actors;
      this.from = from;
      this.to = to;
      this.done = done;
    }
  }

  private final ScaleActor.Round round;

  ScaleParent(ScaleActor.Round round) {
    this.round = round;
  }

  @Override
  public void onReceive(Object message) {
    if (message instanceof Fill fill) {
      Props props = Props.create(ScaleActor.class, () -> new ScaleActor(round));
      for (int i = fill.from; i < fill.to; i++) {
        fill.actors[i] = getContext().actorOf(props, "child-" + i);
      }
      fill.done.countDown();
    } else {
      unhandled(message);
    }
  }
}
