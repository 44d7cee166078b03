// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package large;

import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;

/** Hands orders on to other workers, and fails when it is told to. */
public abstract class Worker extends AbstractActor {
  /** Set before the first order is sent. */
  private static volatile List<ActorRef> busy = List.of();

  static void handOnTo(List<ActorRef> workers) {
    busy = workers;
  }

  @Override
  public Receive createReceive() {
    return receiveBuilder()
        .match(Order.class, this::handOn)
        .match(
            Fail.class,
            fail -> {
              throw new IllegalStateException("no stock for order " + fail.number());
            })
        .matchAny(question -> {}) // never answers
        .build();
  }

  private void handOn(Order order) {
    List<ActorRef> others = busy;
    if (order.hops() > 0) {
      others
          .get(ThreadLocalRandom.current().nextInt(others.size()))
          .tell(new Order(order.number(), order.hops() - 1), getSelf());
    }
  }

  /** To be handed on so many times. */
  record Order(int number, int hops) {}

  record Fail(int number) {}

  record Question(int number) {}
}
