// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.actors.ActorTelemetry;
import io.deimos.recorder.housekeeping.ActorLook;
import io.deimos.recorder.woven.RefFields;
import org.apache.pekko.actor.ActorCell;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefWithCell;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.actor.StashSupport;
import org.jspecify.annotations.Nullable;

/** Looks at one actor, by its path. The actor is not asked, and no message is sent. */
final class OneActor {
  private OneActor() {}

  static @Nullable ActorLook look(ExtendedActorSystem system, String path) {
    ActorRef ref = system.provider().resolveActorRef(path);
    if (!(ref instanceof ActorRefWithCell with)
        || !(with.underlying() instanceof ActorCell cell)
        || !(((RefFields) (Object) ref).deimos$identity() instanceof ActorTelemetry telemetry)) {
      return null;
    }
    Integer stashed =
        cell.actor() instanceof StashSupport stash
            ? stash.org$apache$pekko$actor$StashSupport$$theStash().size()
            : null;
    return new ActorLook(
        telemetry,
        cell.dispatcher().id(),
        cell.mailbox().messageQueue().getClass().getName(),
        ActorWalk.waiting(cell),
        stashed,
        children(cell));
  }

  private static int children(ActorCell cell) {
    int children = 0;
    for (scala.collection.Iterator<ActorRef> i = cell.children().iterator();
        i.hasNext() && children < ActorLook.MAX_CHILDREN;
        i.next()) {
      children++;
    }
    return children;
  }
}
