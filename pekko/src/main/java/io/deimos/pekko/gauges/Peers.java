// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.hooks.SerializationHooks;
import java.lang.reflect.Field;
import java.util.Queue;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.jspecify.annotations.Nullable;

/**
 * Which numbers the other nodes have, by which messages from them are marked; and how many messages
 * wait to be sent to them.
 */
final class Peers implements SystemGauges.Part {
  private static final String[] STREAMS = {"control", "large", "ordinary"};

  /** In a wrapper before the stream runs, in the running stream's handle. */
  private static final String[] QUEUES = {"queue", "producerQueue"};

  private final ExtendedActorSystem system;

  Peers(ExtendedActorSystem system) {
    this.system = system;
  }

  @Override
  public String what() {
    return "remote queues";
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
      queues(association, into);
      scala.Option<UniqueAddress> peer = association.associationState().uniqueRemoteAddress();
      if (peer.isDefined()) {
        SerializationHooks.peer(peer.get().uid(), peer.get().address().toString());
      }
    }
  }

  /**
   * Artery's own queues: one for control, one for large messages, one for each lane of the rest.
   */
  private void queues(Association association, Readings into) throws ReflectiveOperationException {
    Object[] queues = (Object[]) Reflect.field(Association.class, "queues").get(association);
    for (int i = 0; queues != null && i < queues.length; i++) {
      Queue<?> queue = queue(queues[i]);
      if (queue != null) {
        into.add(
            Metric.REMOTE_QUEUE,
            queue.size(),
            system.name(),
            association.remoteAddress().toString(),
            STREAMS[Math.min(i, STREAMS.length - 1)],
            "transmit");
      }
    }
  }

  /** Null for a stream that is not in use, or not any more. */
  private static @Nullable Queue<?> queue(@Nullable Object producer)
      throws ReflectiveOperationException {
    if (producer == null) {
      return null;
    }
    for (String name : QUEUES) {
      Field field = Reflect.fieldOrNull(producer.getClass(), name);
      if (field != null) {
        return (Queue<?>) field.get(producer);
      }
    }
    return null;
  }
}
