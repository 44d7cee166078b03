// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.sampling;

import io.deimos.recorder.Readings;
import io.deimos.recorder.SerializationHooks;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;

/** Which numbers the other nodes have, by which messages from them are marked. */
final class Peers implements SystemSampler.Part {
  private final ExtendedActorSystem system;

  Peers(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public void read(Readings into) throws ReflectiveOperationException {
    ActorRefProvider provider = system.provider();
    if (!(provider instanceof RemoteActorRefProvider remote)
        || !(remote.transport() instanceof ArteryTransport transport)) {
      return;
    }
    Object registry = Reflect.call(transport, "associationRegistry");
    scala.collection.immutable.Set<?> all =
        (scala.collection.immutable.Set<?>) Reflect.call(registry, "allAssociations");
    for (scala.collection.Iterator<?> i = all.iterator(); i.hasNext(); ) {
      Association association = (Association) i.next();
      scala.Option<UniqueAddress> peer = association.associationState().uniqueRemoteAddress();
      if (peer.isDefined()) {
        SerializationHooks.peer(peer.get().uid(), peer.get().address().toString());
      }
    }
  }
}
