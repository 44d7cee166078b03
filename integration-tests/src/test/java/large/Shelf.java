// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package large;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.apache.pekko.actor.AbstractActor;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.Props;

/** The parent of some workers, which it makes. */
final class Shelf extends AbstractActor {
  @Override
  public Receive createReceive() {
    return receiveBuilder().match(Fill.class, this::fill).build();
  }

  private void fill(Fill fill) {
    for (int i = fill.from(); i < fill.to(); i++) {
      fill.into()
          .set(i, getContext().actorOf(fill.kinds().get(i % fill.kinds().size()), "item-" + i));
    }
    fill.done().countDown();
  }

  /** Makes the workers with these numbers. */
  record Fill(
      List<Props> kinds,
      int from,
      int to,
      AtomicReferenceArray<ActorRef> into,
      CountDownLatch done) {}
}
