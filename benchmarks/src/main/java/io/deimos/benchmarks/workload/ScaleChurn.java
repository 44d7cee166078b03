// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.benchmarks.workload;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;
import org.apache.pekko.actor.UntypedAbstractActor;

/** Makes children and stops them again, some at a time, none of which gets a message. */
final class ScaleChurn extends UntypedAbstractActor {
  /** How many to make and stop, and the latch to count down when the last has stopped. */
  record Round(int actors, CountDownLatch done) {}

  private static final int AT_ONCE = 1_000;
  private static final Object STOPPED = new Object();

  private final AtomicInteger living = new AtomicInteger();
  private final Props props = Props.create(Child.class, () -> new Child(living, getSelf()));
  private CountDownLatch done = new CountDownLatch(0);
  private int left;

  @Override
  public void onReceive(Object message) {
    if (message instanceof Round round) {
      left = round.actors();
      done = round.done();
      next();
    } else if (message == STOPPED) {
      next();
    } else {
      unhandled(message);
    }
  }

  private void next() {
    int now = Math.min(AT_ONCE, left);
    left -= now;
    if (now == 0) {
      done.countDown();
      return;
    }
    living.set(now);
    for (int i = 0; i < now; i++) {
      getContext().stop(getContext().actorOf(props));
    }
  }

  /** Lives as long as it takes to stop it. */
  static final class Child extends UntypedAbstractActor {
    private final AtomicInteger living;
    private final ActorRef parent;

    Child(AtomicInteger living, ActorRef parent) {
      this.living = living;
      this.parent = parent;
    }

    @Override
    public void onReceive(Object message) {
      unhandled(message);
    }

    @Override
    public void postStop() {
      if (living.decrementAndGet() == 0) {
        parent.tell(STOPPED, ActorRef.noSender());
      }
    }
  }
}
