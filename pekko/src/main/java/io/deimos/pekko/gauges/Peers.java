// Copyright the Deimos authors
// SPDX-License-Identifier: Apache-2.0
package io.deimos.pekko.gauges;

import io.deimos.recorder.counts.Metric;
import io.deimos.recorder.counts.Readings;
import io.deimos.recorder.hooks.SerializationHooks;
import io.deimos.recorder.housekeeping.MessageSearch;
import io.deimos.recorder.housekeeping.WaitingMessage;
import io.deimos.recorder.woven.ContextFields;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import org.apache.pekko.actor.ActorRef;
import org.apache.pekko.actor.ActorRefProvider;
import org.apache.pekko.actor.ExtendedActorSystem;
import org.apache.pekko.remote.RemoteActorRefProvider;
import org.apache.pekko.remote.UniqueAddress;
import org.apache.pekko.remote.artery.ArteryTransport;
import org.apache.pekko.remote.artery.Association;
import org.apache.pekko.remote.artery.OutboundEnvelope;
import org.jspecify.annotations.Nullable;

/**
 * The numbers of the other nodes, by which messages from them are marked; and how many messages
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
    for (Association association : associations()) {
      queues(association, into);
      scala.Option<UniqueAddress> peer = association.associationState().uniqueRemoteAddress();
      if (peer.isDefined()) {
        SerializationHooks.peer(peer.get().uid(), peer.get().address().toString());
      }
    }
  }

  private List<Association> associations() throws ReflectiveOperationException {
    ActorRefProvider provider = system.provider();
    if (!(provider instanceof RemoteActorRefProvider remote)
        || !(remote.transport() instanceof ArteryTransport transport)) {
      return List.of();
    }
    Object registry = Reflect.call(transport, "associationRegistry");
    scala.collection.immutable.Set<?> all =
        (scala.collection.immutable.Set<?>) Reflect.call(registry, "allAssociations");
    List<Association> associations = new ArrayList<>();
    for (scala.collection.Iterator<?> i = all.iterator(); i.hasNext(); ) {
      associations.add((Association) i.next());
    }
    return associations;
  }

  /**
   * Messages that wait to be sent. Those of control, and large ones, wait in queues with a lock,
   * and are not looked at.
   */
  @Override
  public void search(MessageSearch search) throws ReflectiveOperationException {
    for (Association association : associations()) {
      Object[] queues = (Object[]) Reflect.field(Association.class, "queues").get(association);
      for (int i = 0; queues != null && i < queues.length; i++) {
        Queue<?> queue = queue(queues[i]);
        Field ring = queue == null ? null : Reflect.fieldOrNull(queue.getClass(), "buffer");
        if (ring != null && search.goesOn() && ring.get(queue) instanceof Object[] places) {
          waiting(places, search);
        }
      }
    }
  }

  /** In no order: the ring may be written to and read from meanwhile. */
  private static void waiting(@Nullable Object[] places, MessageSearch search) {
    for (Object each : places) {
      if (each instanceof OutboundEnvelope envelope) {
        Object message = envelope.message();
        Object recipient = envelope.recipient();
        ContextFields fields = each instanceof ContextFields woven ? woven : null;
        if (message != null
            && recipient instanceof ActorRef to
            && !search.see(
                new WaitingMessage(
                    WaitingMessage.Place.OUTBOUND,
                    null,
                    to.path().toString(),
                    0,
                    WaitingMessages.unwrapped(message),
                    new WaitingMessage.Sending(
                        sender(envelope),
                        fields == null ? null : fields.deimos$trace(),
                        fields == null ? 0 : fields.deimos$parent(),
                        0)))) {
          return;
        }
      }
    }
  }

  private static @Nullable Object sender(OutboundEnvelope envelope) {
    Object sender = envelope.sender();
    return WaitingMessages.identity(sender);
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
